import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import {
  clientOf,
  descriptor,
  ended,
  ERAS,
  scriptedServer,
  serverAt,
  type Era,
} from './client.fixture.js';
import { structured } from './scripted-server.js';

const server = await scriptedServer();

/** Without it the official client takes nothing in 2026-07-28. */
const COMPLETE = { resultType: 'complete' };

/** What the official client makes of a call. */
async function callOfficial(revision: Era): Promise<unknown> {
  const versions =
    revision === '2026-07-28'
      ? { versionNegotiation: { mode: { pin: revision } } }
      : { supportedProtocolVersions: [revision] };
  const client = new Client({ name: 'test', version: '1.0.0' }, versions);
  await client.connect(new StreamableHTTPClientTransport(new URL(server.url)));
  try {
    return await client.callTool({ name: 'pay', arguments: { amount: 5, operation_id: 'op-1' } });
  } finally {
    await client.close();
  }
}

/** Why the client has an exchange of its own: see docs/client.md. */
describe.each(ERAS)('client, and why it is not built on the official one, %s', (revision) => {
  it('the official client submits a call twice when the server answers 421; this one once', async () => {
    server.reactions['tools/call'] = (x) => x.send('', {}, 421);
    await expect(callOfficial(revision)).rejects.toThrow();
    expect(server.submissions()).toBe(2);
    server.received.length = 0;
    const client = await clientOf(serverAt(server.url, { revision }));
    expect(await ended(client.execute(descriptor(), 'op-2'))).toMatchObject({
      outcome: 'uncertain',
    });
    expect(server.submissions()).toBe(1);
  });

  it('the official client takes the last of two results; to this one that is no answer', async () => {
    server.reactions['tools/call'] = (x) =>
      x.send(
        x
          .text({ content: [], isError: true })
          .replace(/}$/, `,"result":${JSON.stringify({ ...COMPLETE, ...x.good })}}`),
      );
    expect(await callOfficial(revision)).toMatchObject({ structuredContent: { paid: 5 } });
    const client = await clientOf(serverAt(server.url, { revision }));
    expect(await ended(client.execute(descriptor(), 'op-2'))).toMatchObject({
      outcome: 'uncertain',
    });
  });

  it('the official client gives a number that was not sent; this one leaves it to the text', async () => {
    const react = (text: string): string => text.replaceAll('77', '9007199254740993');
    server.reactions['tools/call'] = (x) =>
      x.send(react(x.text({ ...COMPLETE, ...structured({ id: 77 }) })));
    expect(await callOfficial(revision)).toHaveProperty('structuredContent.id', 9007199254740992);
    const client = await clientOf(serverAt(server.url, { revision }));
    const { output } = await ended(client.execute(descriptor(), 'op-2'));
    expect(output).toEqual({ content: [{ type: 'text', text: '{"id":9007199254740993}' }] });
  });
});
