import type { Tool } from '../catalog/tool.js';
import type { RouteInput, RouteParameter } from '../schema/route-input.js';
import { argumentView, toolContext } from './tool-execution-context.js';

class OrdersController {
  get(): void {}
}
const handler = OrdersController.prototype.get;

const parameter = (name: string, place: RouteParameter['place']): RouteParameter =>
  ({ name, place }) as RouteParameter;
const inputOf = (layout: RouteInput['layout'], ...parameters: RouteParameter[]): RouteInput =>
  ({ layout, parameters }) as unknown as RouteInput;
const toolOf = (input: RouteInput): Tool =>
  ({ input, route: { controller: OrdersController, handler } }) as unknown as Tool;

const GROUPED = inputOf('grouped');
const FLAT = inputOf(
  'flat',
  parameter('id', 'path'),
  parameter('page', 'query'),
  parameter('x-tenant', 'header'),
  parameter('theme', 'cookie'),
);

interface Seen {
  params: unknown;
  query: unknown;
  body: unknown;
  user?: unknown;
  headers?: unknown;
}

describe('toolContext', () => {
  const request = { user: { sub: 'ann' }, headers: { a: '1' }, body: 'of MCP', params: 'of MCP' };
  const response = {};
  const http = { request, response };
  const context = toolContext(toolOf(GROUPED), http, { path: { id: 7 } });

  it("has the class and the method of the tool's route", () => {
    expect(context.getClass()).toBe(OrdersController);
    expect(context.getHandler()).toBe(handler);
  });

  it('is an HTTP context, and no other', () => {
    expect(context.getType()).toBe('http');
    const told = 'A tool is an HTTP route: use switchToHttp().';
    expect(() => context.switchToRpc()).toThrow(new TypeError(told));
    expect(() => context.switchToWs()).toThrow(new TypeError(told));
  });

  it('has one request and one response, wherever a guard takes them from', () => {
    const host = context.switchToHttp();
    expect(host.getResponse()).toBe(response);
    expect(host.getNext()).toBeUndefined();
    expect(context.getArgs()).toEqual([host.getRequest(), response]);
    expect(context.getArgByIndex(0)).toBe(host.getRequest());
    expect(context.getArgByIndex(1)).toBe(response);
  });

  it('shows the MCP request as its guards left it, with the arguments laid over it', () => {
    const seen = context.switchToHttp().getRequest<Seen>();
    expect(seen.user).toBe(request.user);
    expect(seen.headers).toBe(request.headers);
    expect(seen.params).toEqual({ id: 7 });
    expect(seen.query).toEqual({});
    expect(seen.body).toEqual({});
    expect(Object.keys(seen)).toEqual(['params', 'query', 'body']);
  });

  it('shows no arguments at a list', () => {
    const seen = toolContext(toolOf(GROUPED), http).switchToHttp().getRequest<Seen>();
    expect([seen.params, seen.query, seen.body]).toEqual([{}, {}, {}]);
  });

  it('keeps what a guard writes from the MCP request', () => {
    const seen = toolContext(toolOf(GROUPED), http).switchToHttp().getRequest<Seen>();
    seen.user = { sub: 'bob' };
    seen.params = { id: 1 };
    seen.query = { id: 1 };
    seen.body = { id: 1 };
    expect([seen.params, seen.query, seen.body]).toEqual([{ id: 1 }, { id: 1 }, { id: 1 }]);
    expect(request).toEqual({
      user: { sub: 'ann' },
      headers: { a: '1' },
      body: 'of MCP',
      params: 'of MCP',
    });
    const redefined = Object.defineProperties(seen, {
      params: { value: 2 },
      query: { value: 2 },
      body: { value: 2 },
    });
    expect(redefined).toMatchObject({ params: 2, query: 2, body: 2 });
    expect(
      delete (seen as Partial<Seen>).body &&
        delete (seen as Partial<Seen>).query &&
        delete (seen as Partial<Seen>).params,
    ).toBe(true);
  });
});

describe('argumentView, grouped', () => {
  const view = (args: Record<string, unknown>): object => argumentView(GROUPED, args);

  it('takes each group to its place', () => {
    const args = { path: { id: 1 }, query: { q: 'x' }, body: { a: 1 }, header: { h: 1 } };
    expect(view(args)).toEqual({ params: { id: 1 }, query: { q: 'x' }, body: { a: 1 } });
  });

  it('has a form as its body', () => {
    expect(view({ form: { a: 1 } })).toEqual({ params: {}, query: {}, body: { a: 1 } });
  });

  it.each([[[1, 2]], ['text'], [0], [false]])('has any body: %j', (body) => {
    expect(view({ body })).toEqual({ params: {}, query: {}, body });
  });

  it.each([null, undefined])('has an empty body for %j', (body) => {
    expect(view({ body })).toEqual({ params: {}, query: {}, body: {} });
  });

  it.each([null, 'text', 7, [['a']]])('has no parameters in %j', (group) => {
    expect(view({ path: group, query: group })).toEqual({ params: {}, query: {}, body: {} });
  });
});

describe('argumentView, flat', () => {
  it('takes parameters to their places, and everything else to the body', () => {
    const args = { id: 1, page: 2, 'x-tenant': 't', theme: 'dark', name: 'n', list: [1] };
    const { params, query, body } = argumentView(FLAT, args);
    expect({ ...params }).toEqual({ id: 1 });
    expect({ ...query }).toEqual({ page: 2 });
    expect({ ...(body as object) }).toEqual({ name: 'n', list: [1] });
  });

  it('takes a member called __proto__ for a member', () => {
    const args = JSON.parse('{"__proto__":{"admin":true}}') as Record<string, unknown>;
    const { body } = argumentView(FLAT, args);
    expect(Object.keys(body as object)).toEqual(['__proto__']);
    expect((body as { admin?: boolean }).admin).toBeUndefined();
    const placed = inputOf('flat', parameter('__proto__', 'path'), parameter('id', 'query'));
    const { params } = argumentView(placed, args);
    expect(Object.keys(params)).toEqual(['__proto__']);
    const queried = inputOf('flat', parameter('__proto__', 'query'));
    expect(Object.keys(argumentView(queried, args).query)).toEqual(['__proto__']);
  });
});
