import { PLATFORMS } from '../support/platforms.js';
import { AgentsApp, plainOperation, SUPPORT, supportCatalog } from './agents.fixture.js';

describe.each(PLATFORMS)('agents on $name: how calls end', (platform) => {
  let app: AgentsApp;
  beforeEach(async () => {
    app = await AgentsApp.start({
      platform,
      document: (origin, keys) => {
        const response = {
          content: { object: { needed: { from: '/body/absent', required: true } } },
        };
        const operations = [
          plainOperation(origin, 'fails', '/status/422'),
          plainOperation(origin, 'redirects', '/status/302'),
          plainOperation(origin, 'slow', '/slow', { timeoutMs: 50 }),
          plainOperation(origin, 'unmapped', '/things', { response }),
        ];
        const tools = ['read_thing', 'fails', 'redirects', 'slow', 'unmapped'];
        const bindings = tools.map((operation) => ({ operation }));
        return supportCatalog(origin, keys, operations, { ...SUPPORT, tools: bindings });
      },
    });
  });
  afterEach(() => app.close());

  it.each([
    ['validation', 'read_thing', { id: 7 }, 400, 0],
    ['validation', 'read_thing', {}, 400, 0],
    ['mapping', 'read_thing', { id: '..' }, 400, 0],
    ['upstream', 'fails', {}, 422, 1],
    ['upstream', 'redirects', {}, 302, 1],
    ['timeout', 'slow', {}, 504, 1],
    ['mapping', 'unmapped', {}, 502, 1],
  ])('%s of %s %j', async (code, tool, args, statusCode, sent) => {
    const { isError, envelope } = await app.call(tool, args);
    expect({ isError, ...envelope }).toMatchObject({ isError: true, code, statusCode });
    expect(app.upstream.seen).toHaveLength(sent);
    if (code === 'timeout') expect(envelope['message']).toMatch(/may have completed/);
  });

  it("the caller's key goes to no upstream, and usage is counted by agent and tool", async () => {
    await app.call('read_thing', { id: '1' });
    await app.call('fails');
    expect(JSON.stringify(app.upstream.seen)).not.toContain('mcpk_');
    expect(app.agents.usage()[0]).toMatchObject({
      workspace: 'acme',
      agent: 'support',
      calls: 2,
      errors: 1,
      tools: { read_thing: { calls: 1, errors: 0 }, fails: { calls: 1, errors: 1 } },
    });
  });
});
