import { McpModule, McpSetupError, type McpModuleOptions } from '../../src/index.js';
import { resolveOptions } from '../../src/mcp.options.check.js';
import { FixtureApp } from '../support/fixture-app.js';
import { OrdersController, OwnGuard, protectedBy, RESOURCE } from './challenge.fixture.js';
import { RecordingLogger } from '../module/recording-logger.js';

const problemsOf = (options: object): string[] => resolveOptions(options).problems;

async function setupProblems(mcp: McpModuleOptions, feature?: McpModuleOptions & { path: string }) {
  const imports = feature === undefined ? [] : [McpModule.forFeature(feature)];
  const app = await FixtureApp.create({ controllers: [OrdersController], imports, mcp });
  const outcome = await app.init().then(
    () => undefined,
    (error: unknown) => error,
  );
  return outcome instanceof McpSetupError ? outcome.problems : outcome;
}

describe('auth: the option resource', () => {
  it('has defaults', () => {
    const { options, problems } = resolveOptions({ resource: RESOURCE });
    expect(problems).toEqual([]);
    expect(options.resource).toEqual({ ...RESOURCE, scopes: [] });
    expect(resolveOptions({}).options).toMatchObject({ resource: undefined, stepUp: false });
  });

  it.each([
    'https://api.example.com/mcp',
    'https://api.example.com:8443/a/b',
    'https://mcp.example.com',
    'https://mcp.example.com/',
    'http://localhost:3000/mcp',
    'http://127.0.0.1/mcp',
    'http://[::1]:3000/mcp',
  ])('takes the URL %s', (url) => {
    expect(problemsOf({ resource: { ...RESOURCE, url } })).toEqual([]);
  });

  it.each([
    [undefined, 'is not the URL of the endpoint'],
    [7, '7 is not the URL of the endpoint'],
    ['/mcp', 'is not the URL of the endpoint'],
    ['http://api.example.com/mcp', 'https, or http on a loopback address'],
    ['ftp://api.example.com/mcp', 'https, or http on a loopback address'],
    ['https://u:p@api.example.com/mcp', 'without user, query and fragment'],
    ['https://api.example.com/mcp?x', 'without user, query and fragment'],
    ['https://api.example.com/mcp#x', 'without user, query and fragment'],
    ['https://API.example.com/mcp', 'canonical form "https://api.example.com/mcp"'],
    ['https://api.example.com:443/mcp', 'canonical form "https://api.example.com/mcp"'],
    ['https://api.example.com/x/../mcp', 'canonical form "https://api.example.com/mcp"'],
    ['https://api.example.com/mcp/', 'without a slash at the end'],
  ])('refuses the URL %s', (url, told) => {
    expect(problemsOf({ resource: { ...RESOURCE, url } })).toEqual([
      expect.stringMatching(/^option resource\.url: /),
    ]);
    expect(problemsOf({ resource: { ...RESOURCE, url } })[0]).toContain(told);
  });

  it.each<[object, string]>([
    [{ authorizationServers: undefined }, 'authorizationServers: undefined is not a list'],
    [{ authorizationServers: [] }, 'authorizationServers: [] is not a list'],
    [{ authorizationServers: [undefined] }, 'authorizationServers: it has undefined'],
    [{ authorizationServers: ['http://login.example.com'] }, 'which is not an issuer'],
    [{ authorizationServers: ['https://login.example.com?x'] }, 'which is not an issuer'],
    [{ scopes: 'orders:read' }, 'scopes: "orders:read" is not a list'],
    [{ scopes: ['a b'] }, 'scopes: it has "a b", which is not a scope'],
    [{ scopes: ['a"'] }, 'which is not a scope'],
    [{ scopes: [undefined] }, 'scopes: it has undefined'],
    [{ scopes: ['offline_access'] }, 'between a client and its authorization server'],
    [{ name: '' }, 'name: "" is not a text'],
    [{ documentation: 'docs' }, 'documentation: "docs" is not the URL of a page'],
    [{ scopesOf: 'scope' }, 'scopesOf: "scope" is not a function'],
    [{ audience: 'x' }, 'audience: there is no such option. There are: url, authorizationServers'],
  ])('refuses %j', (member, told) => {
    const problems = problemsOf({ resource: { ...RESOURCE, ...member } });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(`option resource.`);
    expect(problems[0]).toContain(told);
  });

  it('is an object, and there for stepUp', () => {
    expect(problemsOf({ resource: 'x' })[0]).toContain('"x" is not an object');
    expect(problemsOf({ stepUp: true })[0]).toContain('Give the option resource');
    expect(problemsOf({ stepUp: 1 })[0]).toContain('neither true nor false');
  });

  it('collects all its problems', () => {
    expect(problemsOf({ resource: { scopes: 'x' } })).toHaveLength(3);
  });

  it('is of one endpoint', async () => {
    const second = { ...protectedBy(), path: 'second', include: () => true };
    expect(await setupProblems(protectedBy(), second)).toEqual([
      expect.stringContaining('"https://api.example.com/mcp" is the URL of two endpoints'),
    ]);
  });

  it('and the scopes of tools do not go with lists that everybody shares', async () => {
    expect(await setupProblems({ guards: [OwnGuard], listScope: 'public' })).toEqual([
      expect.stringContaining("option listScope: it is 'public', but the scopes of never"),
    ]);
    expect(
      await setupProblems(protectedBy({}, { listScope: 'public', stepUp: true })),
    ).toBeUndefined();
  });

  it('warns of a URL that leads elsewhere', async () => {
    const logger = new RecordingLogger();
    const mcp = protectedBy({ url: 'https://api.example.com/api/mcp' });
    const app = await FixtureApp.start({ controllers: [OrdersController], mcp, logger });
    await app.close();
    expect(logger.of('warn', 'McpModule').join('\n')).toContain(
      'option resource.url: its path is "/api/mcp", and the endpoint is served at "/mcp"',
    );
  });
});
