import { errorResponse, JsonRpcErrorCode } from './json-rpc-error.js';

describe('JsonRpcErrorCode', () => {
  it('has the codes of JSON-RPC 2.0, section 5.1, and the three of 2026-07-28, and no other', () => {
    expect(JsonRpcErrorCode).toEqual({
      ParseError: -32700,
      InvalidRequest: -32600,
      MethodNotFound: -32601,
      InvalidParams: -32602,
      InternalError: -32603,
      HeaderMismatch: -32020,
      MissingClientCapability: -32021,
      UnsupportedProtocolVersion: -32022,
    });
  });
});

describe('errorResponse', () => {
  const error = { code: JsonRpcErrorCode.InvalidParams, message: 'no "cursor"' };
  const errorText = '{"code":-32602,"message":"no \\"cursor\\""}';

  it.each([
    [7, '7'],
    [0, '0'],
    [-9007199254740991, '-9007199254740991'],
    ['', '""'],
    ['a"\n', '"a\\"\\n"'],
    ['\ud800', '"\\ud800"'],
  ])('answers the request %j', (id, idText) => {
    expect(errorResponse(id, error)).toBe(`{"jsonrpc":"2.0","id":${idText},"error":${errorText}}`);
  });

  it('leaves the id out when there is none, and never writes null', () => {
    expect(errorResponse(undefined, error)).toBe(`{"jsonrpc":"2.0","error":${errorText}}`);
  });

  it('carries data where there are any, and nothing else that the object has', () => {
    const loaded = { ...error, data: { supported: ['2026-07-28'] }, stack: 'at /srv/app' };
    expect(JSON.parse(errorResponse(1, loaded))).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { ...error, data: { supported: ['2026-07-28'] } },
    });
  });
});
