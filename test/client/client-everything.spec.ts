import { spawn, type ChildProcess } from 'node:child_process';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { McpToolClient } from 'nestjs-mcp-routes/client';
import { listDigests } from '../../src/client/list-digests.js';
import { clientOf, closeClients, descriptor, ended } from './client.fixture.js';

const MAIN = fileURLToPath(
  new URL(
    '../../node_modules/@modelcontextprotocol/server-everything/dist/index.js',
    import.meta.url,
  ),
);

async function freePort(): Promise<number> {
  const listener = createServer();
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const { port } = listener.address() as { port: number };
  await new Promise((resolve) => listener.close(resolve));
  return port;
}

/** The server says on standard error that it listens. */
async function startServer(port: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [MAIN, 'streamableHttp'], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await new Promise<void>((resolve, reject) => {
    child.once('exit', () => reject(new Error('The server ended before it listened.')));
    child.stderr?.on('data', (text: Buffer) => {
      if (text.includes('listening')) resolve();
    });
  });
  return child;
}

describe.each(['auto', '2025-11-25', '2025-06-18', '2025-03-26'] as const)(
  'client to the official server of everything, %s',
  (revision) => {
    let child: ChildProcess;
    let client: McpToolClient;
    beforeAll(async () => {
      const port = await freePort();
      child = await startServer(port);
      const endpoint = `http://127.0.0.1:${port}/mcp`;
      const listed = await listDigests(endpoint, { revision, allowInsecureLoopback: true });
      expect(listed.revision).toBe(revision === 'auto' ? '2025-11-25' : revision);
      client = await clientOf({
        id: 'everything',
        endpoint,
        revision,
        tools: listed.tools.map(({ name, inputSchemaDigest = '' }) => ({
          name,
          inputSchemaDigest,
          readOnly: true,
        })),
      });
    });
    afterAll(async () => {
      await closeClients();
      child.kill('SIGKILL');
    });

    const call = (tool: string, args: Record<string, unknown>, signal?: AbortSignal) =>
      ended(client.execute(descriptor(tool, args, 'everything'), 'op-1', signal));

    it('calls tools with text, structure and pictures', async () => {
      expect(await call('get-sum', { a: 2, b: 40 })).toMatchObject({
        outcome: 'success',
        output: { content: [{ type: 'text', text: expect.stringContaining('42') as string }] },
      });
      expect(await call('echo', { message: 'héllo' })).toMatchObject({ outcome: 'success' });
      const { output } = await call('get-structured-content', { location: 'Chicago' });
      expect(output?.structuredContent).toHaveProperty('temperature');
      const picture = await call('get-tiny-image', {});
      expect(picture.output?.content.map(({ type }) => type)).toContain('image');
    });

    it('refuses arguments that do not fit', async () => {
      expect(await call('get-sum', { a: 'two', b: 40 })).toMatchObject({
        outcome: 'invalid descriptor',
      });
    });

    it('gives up a long call: uncertain', async () => {
      const caller = new AbortController();
      const running = call(
        'trigger-long-running-operation',
        { duration: 60, steps: 5 },
        caller.signal,
      );
      setTimeout(() => caller.abort(), 1_000);
      // Where the machine is so slow that the call was not sent by then, nothing was submitted.
      expect(['uncertain', 'nothing submitted']).toContain((await running).outcome);
    });
  },
);
