import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Counts how often each operation ran, in the process that stays. */
export class Ledger {
  readonly runs = new Map<string, number>();
  private readonly server: Server = createServer((request, response) => {
    const operation = (request.url ?? '').slice(1);
    this.runs.set(operation, (this.runs.get(operation) ?? 0) + 1);
    response.end();
  });

  static async start(): Promise<Ledger> {
    const ledger = new Ledger();
    ledger.server.listen(0, '127.0.0.1');
    await once(ledger.server, 'listening');
    return ledger;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
