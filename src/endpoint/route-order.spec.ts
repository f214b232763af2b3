import express from 'express';
import { moveForward, type RoutedApplication } from './route-order.js';

type Handler = (request: unknown, response: { send(text: string): void }) => void;

/** An application with these routes and middleware in turn, the endpoint last. */
function applicationWith(...paths: (string | RegExp)[]): express.Express {
  const application = express();
  for (const path of paths) {
    if (path === 'middleware') application.use((_request, _response, next) => next());
    else application.all(path, answer(String(path)));
  }
  application.all('/mcp', answer('endpoint'));
  return application;
}

function answer(text: string): Handler {
  return (_request, response) => response.send(text);
}

function order(application: express.Express): unknown[] {
  const { stack } = (application as unknown as { router: { stack: object[] } }).router;
  return stack.map((layer) => (layer as { route?: { path: unknown } }).route?.path ?? 'middleware');
}

function moved(...paths: Parameters<typeof applicationWith>): unknown[] {
  const application = applicationWith(...paths);
  moveForward(application as unknown as RoutedApplication, '/mcp');
  return order(application);
}

describe('moveForward', () => {
  it('moves the endpoint before routes that begin with another word or have more segments', () => {
    expect(moved('/orders', '/orders/:id', '/mcp/tools', '/mcps')).toEqual([
      '/mcp',
      '/orders',
      '/orders/:id',
      '/mcp/tools',
      '/mcps',
    ]);
  });

  it.each(['/:page', '/{*path}', '/MCP', '/mcp/', '/{:lang/}mcp', /^\/m/])(
    'stays behind %s, which can match its path',
    (path) => {
      expect(moved('/orders', path, '/users')).toEqual(['/orders', path, '/mcp', '/users']);
    },
  );

  it('stays behind middleware', () => {
    expect(moved('/orders', 'middleware', '/users')).toEqual([
      '/orders',
      'middleware',
      '/mcp',
      '/users',
    ]);
  });

  it('leaves an application alone whose router it does not know', () => {
    expect(() => moveForward({ router: {} }, '/mcp')).not.toThrow();
  });
});
