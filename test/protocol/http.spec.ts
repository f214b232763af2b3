import { FixtureApp } from '../support/fixture-app.js';
import { PLATFORMS } from '../support/platforms.js';
import { TOOLS } from './tools.fixture.js';
import { message, MODERN, rawExchange, rawRequest, Session, Stream, verdict } from './wire.js';

const PING = message('ping');
const SSE = 'text/event-stream';
const JSON_TYPE = 'application/json';

describe.each(PLATFORMS)('protocol on $name: HTTP around a message', (platform) => {
  let app: FixtureApp;
  beforeAll(async () => {
    app = await FixtureApp.start({ ...TOOLS, platform, mcp: { streamAfterMs: 1 } });
  });
  afterAll(() => app.close());

  it.each([
    [undefined, 415],
    ['text/plain', 415],
    ['application/jsonx', 415],
    ['application/json; charset=latin1', 415],
    ['application/json; charset=utf-16', 415],
    ['text/json', 415],
    ['multipart/form-data; boundary=x', 415],
    ['application/x-www-form-urlencoded', 415],
    ['garbage', 415],
    ['application/json', 200],
    ['APPLICATION/JSON; Charset="UTF-8"', 200],
    ['application/json; profile=x', 200],
  ])('Content-Type %s: %d', async (type, status) => {
    const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type };
    const body = JSON.stringify(PING);
    const answer = await rawExchange(
      app,
      rawRequest(
        `POST ${app.path}`,
        { ...headers, accept: '*/*', 'content-length': String(body.length) },
        body,
      ),
    );
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toContain('"jsonrpc":"2.0"');
    expect(answer.toLowerCase()).toContain('cache-control: no-store');
  });

  it.each([
    ['absent', undefined, 200, JSON_TYPE],
    ['*/*', '*/*', 200, JSON_TYPE],
    ['JSON and SSE', `${JSON_TYPE}, ${SSE}`, 200, JSON_TYPE],
    ['JSON alone', JSON_TYPE, 200, JSON_TYPE],
    ['SSE alone', SSE, 200, SSE],
    ['application/*', 'application/*', 200, JSON_TYPE],
    ['JSON refused', `${JSON_TYPE};q=0, ${SSE}`, 200, SSE],
    ['neither', 'text/html', 406, JSON_TYPE],
    ['both refused', `${JSON_TYPE};q=0, ${SSE};q=0`, 406, JSON_TYPE],
    ['nothing', '', 406, JSON_TYPE],
  ])('P4: Accept %s', async (_, accept, status, type) => {
    const body = JSON.stringify(PING);
    const headers: Record<string, string> = {
      'content-type': JSON_TYPE,
      'content-length': String(body.length),
      ...(accept === undefined ? {} : { accept }),
    };
    const answer = await rawExchange(app, rawRequest(`POST ${app.path}`, headers, body));
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer.toLowerCase()).toContain(`content-type: ${type}`);
  });

  it('P4: JSON alone is never a stream, though the call takes longer than streamAfterMs', async () => {
    const call = message('tools/call', {
      name: 'progress',
      arguments: { body: { steps: [1, 2] } },
      _meta: { progressToken: 1 },
    });
    for (const accept of [JSON_TYPE, '*/*']) {
      const answer = await app.post(call, { accept });
      expect(answer.headers.get('content-type')).toBe(JSON_TYPE);
      expect(answer.json()).toMatchObject({
        id: 1,
        result: { content: [{ text: '{"done":true}' }] },
      });
    }
  });

  it('P4: SSE alone is a stream for an error as a result, and plain JSON for a refusal', async () => {
    const headers = { accept: SSE };
    const stream = await Stream.open(app, 'POST', headers, message('tools/call', { name: 'x' }));
    expect(stream.headers).toMatchObject({
      'content-type': SSE,
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    await stream.ended();
    expect(stream.messages).toHaveLength(1);
    expect(stream.messages[0]).toMatchObject({ id: 1, error: { code: -32602 } });
    const refused = await app.post('{', headers);
    expect(verdict(refused)).toEqual([400, -32700]);
  });

  it('without sessions: POST only, whatever else comes with another method', async () => {
    for (const method of ['GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS', 'HEAD']) {
      const answer = await app.http(method, app.path, { headers: { accept: SSE } });
      expect([method, answer.status, answer.headers.get('allow')]).toEqual([method, 405, 'POST']);
      expect(answer.headers.get('cache-control')).toBe('no-store');
    }
    for (const body of ['{"a":', '{"a":1}']) {
      const answer = await app.http('PUT', app.path, {
        headers: { 'content-type': JSON_TYPE },
        body,
      });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
    }
    const typeless = await app.http('DELETE', app.path, {
      headers: { 'content-type': 'x/y' },
      body: 'x',
    });
    expect(typeless.status).toBe(405);
  });

  it('without sessions: a session id means nothing, and none is given', async () => {
    const answer = await app.post(PING, { 'mcp-session-id': 'whatever' });
    expect([answer.status, answer.headers.get('mcp-session-id')]).toEqual([200, null]);
  });
});

describe.each(PLATFORMS)('protocol on $name: HTTP with sessions', (platform) => {
  let app: FixtureApp;
  beforeAll(async () => {
    app = await FixtureApp.start({ ...TOOLS, platform, mcp: { sessions: {} } });
  });
  afterAll(() => app.close());

  it('other methods: 405 with POST, GET and DELETE; in 2026-07-28 with POST alone', async () => {
    const put = await app.http('PUT', app.path);
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'POST, GET, DELETE']);
    const session = await Session.open(app);
    for (const method of ['GET', 'DELETE']) {
      const headers = { ...session.headers, 'mcp-protocol-version': MODERN };
      const answer = await app.http(method, app.path, { headers });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
    }
  });

  it('GET without SSE in Accept: 406; the answer to DELETE is not stored', async () => {
    const session = await Session.open(app);
    const headers = { ...session.headers, accept: JSON_TYPE };
    expect((await app.http('GET', app.path, { headers })).status).toBe(406);
    const ended = await session.end();
    expect([ended.status, ended.headers.get('cache-control')]).toEqual([204, 'no-store']);
  });

  it('2026-07-28 never makes, says or needs a session id', async () => {
    const answer = await app.request('tools/list', {}, { 'mcp-session-id': 'nonsense' });
    expect([answer.status, answer.headers.get('mcp-session-id')]).toEqual([200, null]);
  });
});
