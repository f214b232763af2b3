/** @file A running variant, ready to be measured. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKS, digest, readMessage } from './checks.mjs';
import { Connection } from './connection.mjs';
import { initialize, initialized, MESSAGES } from './messages.mjs';
import { startServer, stop } from './processes.mjs';

export class Target {
  /**
   * Starts the server of a variant, opens its session and checks one answer.
   *
   * @param directory for files that are handed to servers
   */
  static async start(name, variants, directory, execArgv) {
    const variant = await withStaticFile(variants[name], variants, directory);
    const { port, child } = await startServer(variant, execArgv);
    const target = new Target(name, variant, port, child);
    try {
      if (variant.session) target.session = await openSession(port);
      await target.answer();
    } catch (error) {
      child.kill();
      throw new Error(`${name}: ${error.message}`, { cause: error });
    }
    return target;
  }

  constructor(name, variant, port, child) {
    this.name = name;
    this.variant = variant;
    this.port = port;
    this.child = child;
  }

  /** Opens sessions that nobody uses. */
  async openSessions(count, load) {
    const requests = Array.from({ length: 16 }, () => initialize());
    await load.run({ port: this.port, requests, check: 'accepted', answers: count });
  }

  /** What the load generator needs to know. */
  order(concurrency) {
    const { check, expected } = this.variant;
    const requests = Array.from({ length: concurrency }, (_, index) => this.request(index + 1));
    return { port: this.port, requests, check, expected };
  }

  /** One answer, checked. */
  async answer() {
    const { check, expected } = this.variant;
    const answer = await exchange(this.port, this.request(1));
    const problem = CHECKS[check](answer, 1, expected);
    if (problem !== undefined)
      throw new Error(`${problem}: ${answer.body.toString('utf8', 0, 500)}`);
    return answer;
  }

  request(id) {
    const { ask, toolArguments } = this.variant;
    return MESSAGES[ask](id, { toolArguments, session: this.session });
  }

  stop() {
    return stop(this.child);
  }
}

async function withStaticFile(variant, variants, directory) {
  if (variant.staticOf === undefined) return variant;
  const source = await Target.start(variant.staticOf, variants, directory);
  const { body } = await source.answer();
  await source.stop();
  const sha256 = digest(body);
  const staticFile = join(directory, sha256);
  writeFileSync(staticFile, body);
  return { ...variant, options: { staticFile }, expected: { sha256 } };
}

async function openSession(port) {
  const { head, body } = await exchange(port, initialize());
  const session = /\r\nmcp-session-id: *([^\r]+)/i.exec(head)?.[1];
  if (session === undefined) throw new Error(`no session: ${JSON.stringify(readMessage(body))}`);
  await exchange(port, initialized(session));
  return session;
}

async function exchange(port, request) {
  const connection = await Connection.open(port);
  const answer = await new Promise((resolve) => connection.send(request, resolve));
  connection.close();
  if (answer instanceof Error) throw answer;
  return answer;
}
