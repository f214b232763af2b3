import type { McpToolClient } from 'nestjs-mcp-routes/client';
import { listDigests } from '../../src/client/list-digests.js';
import { AgentsApp } from '../agents/agents.fixture.js';
import { PLATFORMS } from '../support/platforms.js';
import { clientOf, closeClients, descriptor, ended, ERAS } from './client.fixture.js';

const CASES = PLATFORMS.flatMap((platform) =>
  [...ERAS, 'auto' as const].map((revision) => ({
    title: `${platform.name}, ${revision}`,
    platform,
    revision,
  })),
);

describe.each(CASES)('client to an agent over sockets, $title', ({ platform, revision }) => {
  let app: AgentsApp;
  let client: McpToolClient;
  beforeAll(async () => {
    app = await AgentsApp.start({ platform, options: { sessions: {} } });
    const endpoint = app.url().href;
    const authorization = `Bearer ${app.key}`;
    const { tools } = await listDigests(endpoint, {
      revision,
      authorization,
      allowInsecureLoopback: true,
    });
    client = await clientOf({
      id: 'support',
      endpoint,
      revision,
      credentials: { authorization: () => authorization },
      tools: tools.map(({ name, inputSchemaDigest = '' }) => ({
        name,
        inputSchemaDigest,
        readOnly: true,
      })),
    });
  });
  afterAll(async () => {
    await closeClients();
    await app.close();
  });

  const call = (tool: string, args: Record<string, unknown>) =>
    ended(client.execute(descriptor(tool, args, 'support'), 'op-1'));

  it('calls an operation, whose upstream is asked once', async () => {
    const before = app.upstream.seen.length;
    expect(await call('read_thing', { id: '7' })).toMatchObject({
      outcome: 'success',
      output: { structuredContent: { path: '/things/7' } },
    });
    expect(app.upstream.seen).toHaveLength(before + 1);
  });

  it('calls a route under the name that the agent gave it', async () => {
    expect(await call('order', { path: { id: '9' } })).toMatchObject({
      outcome: 'success',
      output: { structuredContent: { order: '9' } },
    });
  });

  it('calls nothing that is not pinned', async () => {
    expect(await call('secret_route', {})).toMatchObject({ outcome: 'unauthorized' });
  });
});
