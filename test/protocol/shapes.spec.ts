import { FixtureApp } from '../support/fixture-app.js';
import { PLATFORMS } from '../support/platforms.js';
import { misfits, type SchemaRevision } from './official-schema.js';
import { TOOLS } from './tools.fixture.js';
import { DATED, envelope, message, MODERN, modernHeaders, rpc, type Rpc } from './wire.js';

type Members = Record<string, unknown>;

const REVISIONS: readonly SchemaRevision[] = [...DATED, MODERN];

/** A request of any revision, without sessions. */
async function ask(
  app: FixtureApp,
  revision: SchemaRevision,
  method: string,
  params: Members = {},
): Promise<Rpc> {
  if (revision !== MODERN) {
    return rpc(await app.post(message(method, params), { 'mcp-protocol-version': revision }));
  }
  const { name } = params;
  const headers = modernHeaders(method, typeof name === 'string' ? name : undefined);
  return rpc(await app.post(message(method, { ...params, _meta: envelope() }), headers));
}

const call = (app: FixtureApp, revision: SchemaRevision, name: string, args = {}): Promise<Rpc> =>
  ask(app, revision, 'tools/call', { name, arguments: args });

async function listed(app: FixtureApp, revision: SchemaRevision): Promise<Map<string, Members>> {
  const { result } = await ask(app, revision, 'tools/list');
  return new Map((result?.['tools'] as Members[]).map((tool) => [String(tool['name']), tool]));
}

describe.each(PLATFORMS)('protocol on $name: what each revision carries', (platform) => {
  let app: FixtureApp;
  beforeAll(async () => {
    app = await FixtureApp.start({
      ...TOOLS,
      platform,
      mcp: { title: 'Shop', icons: [{ src: 'https://example.com/i.png' }] },
    });
  });
  afterAll(() => app.close());

  it.each([
    ['2025-03-26', ['annotations', 'description', 'inputSchema', 'name']],
    [
      '2025-06-18',
      ['_meta', 'annotations', 'description', 'inputSchema', 'name', 'outputSchema', 'title'],
    ],
    [
      '2025-11-25',
      [
        '_meta',
        'annotations',
        'description',
        'icons',
        'inputSchema',
        'name',
        'outputSchema',
        'title',
      ],
    ],
    [
      MODERN,
      [
        '_meta',
        'annotations',
        'description',
        'icons',
        'inputSchema',
        'name',
        'outputSchema',
        'title',
      ],
    ],
  ] as const)('a tool in %s has what the revision knows', async (revision, members) => {
    const tool = (await listed(app, revision)).get('described') ?? {};
    expect(Object.keys(tool).sort()).toEqual(members);
    expect(tool['annotations']).toEqual({
      readOnlyHint: true,
      title: 'Hint',
      openWorldHint: false,
    });
  });

  it.each(REVISIONS)(
    '%s: an output schema that is no object’s only in 2026-07-28',
    async (revision) => {
      const tool = (await listed(app, revision)).get('numbers');
      const { result } = await call(app, revision, 'numbers');
      expect(tool !== undefined && 'outputSchema' in tool).toBe(revision === MODERN);
      expect(result?.['structuredContent']).toEqual(revision === MODERN ? [1, 2, 3] : undefined);
      expect(result?.['content']).toEqual([{ type: 'text', text: '[1,2,3]' }]);
    },
  );

  it.each(REVISIONS)(
    '%s: structured content since 2025-06-18, the text always',
    async (revision) => {
      const { result } = await call(app, revision, 'described');
      expect(result?.['structuredContent']).toEqual(
        revision === '2025-03-26' ? undefined : { a: 1 },
      );
      expect(result?.['content']).toEqual([{ type: 'text', text: '{"a":1}' }]);
      expect(result).not.toHaveProperty('isError');
    },
  );

  it.each(REVISIONS)('%s: resultType and server info exactly in 2026-07-28', async (revision) => {
    const modern = revision === MODERN;
    for (const [method, params] of [
      ['tools/list', {}],
      ['tools/call', { name: 'described' }],
    ] as const) {
      const { result } = await ask(app, revision, method, params);
      expect(result?.['resultType']).toBe(modern ? 'complete' : undefined);
      const meta = result?.['_meta'] as Members | undefined;
      expect(meta?.['io.modelcontextprotocol/serverInfo']).toEqual(
        modern ? expect.objectContaining({ name: 'nestjs-mcp-routes', title: 'Shop' }) : undefined,
      );
    }
  });

  it.each(REVISIONS)('%s: caching hints exactly in 2026-07-28, on lists only', async (revision) => {
    const list = (await ask(app, revision, 'tools/list')).result ?? {};
    const called = (await call(app, revision, 'described')).result ?? {};
    expect([list['ttlMs'], list['cacheScope']]).toEqual(
      revision === MODERN ? [300_000, 'private'] : [undefined, undefined],
    );
    for (const member of ['ttlMs', 'cacheScope']) expect(called).not.toHaveProperty(member);
  });

  it.each(REVISIONS)('%s: every answer fits the official schema', async (revision) => {
    const wrong: Record<string, string[]> = {};
    const judge = (title: string, definition: string, value: unknown): void => {
      const found = misfits(revision, definition, value);
      if (found.length > 0) wrong[title] = found;
    };
    const calls = ['described', 'numbers', 'picture', 'empty', 'missing', 'report', 'echo'];
    const answers = [await ask(app, revision, 'tools/list')];
    judge('list', 'ListToolsResult', answers[0]?.result);
    for (const name of calls) {
      const answer = await call(
        app,
        revision,
        name,
        name === 'echo' ? { path: { text: 'a' } } : {},
      );
      answers.push(answer);
      judge(name, 'CallToolResult', answer.result);
    }
    if (revision === MODERN) {
      const discovered = await ask(app, revision, 'server/discover');
      judge('discover', 'DiscoverResult', discovered.result);
    } else {
      const params = {
        protocolVersion: revision,
        capabilities: {},
        clientInfo: { name: 'x', version: '1' },
      };
      judge(
        'initialize',
        'InitializeResult',
        (await ask(app, revision, 'initialize', params)).result,
      );
      answers.push(await ask(app, revision, 'ping'));
    }
    for (const answer of answers)
      judge(`envelope of ${JSON.stringify(answer.result)}`, responseOf(revision), answer);
    const errors = [await ask(app, revision, 'no/such'), await call(app, revision, 'absent')];
    for (const error of errors) judge(JSON.stringify(error), errorOf(revision), error);
    expect(wrong).toEqual({});
  });

  it('an error without an id fits the schemas that allow it', async () => {
    const refused = rpc(await app.post('{'));
    expect(misfits('2025-11-25', 'JSONRPCErrorResponse', refused)).toEqual([]);
    expect(misfits(MODERN, 'JSONRPCErrorResponse', refused)).toEqual([]);
  });
});

function responseOf(revision: SchemaRevision): string {
  return revision >= '2025-11-25' ? 'JSONRPCResultResponse' : 'JSONRPCResponse';
}

function errorOf(revision: SchemaRevision): string {
  return revision >= '2025-11-25' ? 'JSONRPCErrorResponse' : 'JSONRPCError';
}
