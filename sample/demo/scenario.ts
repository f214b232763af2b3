import type { DemoClient, ToolAnswer } from './clients.js';
import { excerpt, type Transcript } from './transcript.js';

type Arguments = Record<string, unknown>;

/** The tools of the sample, in the order in which they are listed. */
export const TOOLS = [
  'add_order_note',
  'adjust_stock',
  'cancel_order',
  'create_order',
  'find_customers',
  'get_customer',
  'get_invoice',
  'get_order',
  'get_product',
  'list_orders',
  'list_products',
  'refund_order',
  'search_products',
  'update_customer_address',
];

/** The calls that the demonstration makes, with the answer that each must have. */
export class Scenario {
  constructor(
    private readonly client: DemoClient,
    private readonly transcript: Transcript,
  ) {}

  async listTools(): Promise<void> {
    const tools = await this.client.listTools();
    const sorted = [...tools].sort((a, b) => (a.name < b.name ? -1 : 1));
    this.transcript.print(`tools/list -> ${tools.length} tools`);
    for (const { name, description } of sorted) {
      this.transcript.print(`  ${name.padEnd(24)} ${description?.split('\n')[0] ?? ''}`.trimEnd());
    }
    const names = sorted.map(({ name }) => name);
    this.transcript.expect('the tools', names, TOOLS);
  }

  /** @param expected the members of the structured content that are printed and must be right */
  async succeeds(name: string, args: Arguments, expected: object): Promise<void> {
    const answer = await this.call(name, args);
    this.transcript.print(`  ok: ${JSON.stringify(excerpt(answer.structured, expected))}`);
    this.transcript.expect(`${name} is no error`, answer.isError, false);
    this.transcript.expect(`${name}, structured`, answer.structured, expected);
    this.transcript.expect(`${name}, text`, parsed(answer.text), expected);
  }

  /** @param expected the members of the error body that must be right; the whole body is printed */
  async fails(name: string, args: Arguments, expected: object): Promise<void> {
    const answer = await this.call(name, args);
    this.transcript.print(`  error: ${answer.text}`);
    this.transcript.expect(`${name} is an error`, answer.isError, true);
    this.transcript.expect(`${name}, error body`, parsed(answer.text), { error: expected });
  }

  private call(name: string, args: Arguments): Promise<ToolAnswer> {
    this.transcript.print(`\n${name} ${JSON.stringify(args)}`);
    return this.client.callTool(name, args);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
