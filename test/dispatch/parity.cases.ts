/** One request, made over plain HTTP and as a tool call. */
export interface ParityCase {
  readonly title: string;
  readonly tool: string;
  readonly args: Record<string, unknown>;
  readonly http: readonly [method: string, path: string, body?: object];
  /** The caller's token. Default `ann`, who is an admin. */
  readonly as?: 'ann' | 'bob' | 'nobody';
  /** Further headers of both requests. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Headers of the HTTP request alone, which a call writes itself: those of a version. */
  readonly httpHeaders?: Readonly<Record<string, string>>;
  /** The status over HTTP: what the row expects, so that it turns red when the application changes. */
  readonly status: number;
  /** What the body holds, beside being the same both ways. */
  readonly holds: string;
  /** Why the tool call answers otherwise, where it may. */
  readonly differs?: keyof typeof DIFFERENCES;
  /** What differs beside the body. */
  readonly alsoDiffers?: keyof typeof DIFFERENCES;
  /** With `differs`: what the tool result holds, an error unless `toolSucceeds`. */
  readonly toolSays?: string;
  readonly toolSucceeds?: boolean;
}

export interface ParitySection {
  readonly title: string;
  readonly rows: readonly ParityCase[];
}

/** Every difference that is allowed, with its reason. A row may differ for one of these alone. */
export const DIFFERENCES = {
  'own route only':
    'A model chooses arguments, not routes: arguments that lead to another route, or to no segment of their own, are refused before anything runs.',
  'arguments are checked':
    "Arguments that do not fit the tool's schema are refused after every guard and before the pipes, in sentences that name each place. The application's own filters write the refusal.",
  'arguments are repaired':
    'Models send null for what they leave out, and objects as JSON strings: both are mended where the schema allows nothing else.',
  'no headers in a result':
    'Only status, body, content type and Location make a result. Set-Cookie does not reach the MCP client, so that a session which a call begins is not kept.',
  'no browser behind a call':
    "A call carries no Origin and no Sec-Fetch-* header: the endpoint itself checks the caller's. A protection against cross-site requests that looks at them sees a request that no browser made.",
} as const;

const item = { name: 'chair', amount: 2 };
const uuid = '2c5ea4c0-4067-11e9-8bad-9b1deb4d3b7d';

/** The rows of the fixture application, by what they are about. */
export const SECTIONS: readonly ParitySection[] = [
  {
    title: 'Pipes and DTOs',
    rows: [
      {
        title: 'query DTO with defaults',
        tool: 'list_items',
        args: {},
        http: ['GET', '/api/items'],
        status: 200,
        holds: '"page":1',
      },
      {
        title: 'query DTO with conversion',
        tool: 'list_items',
        args: { query: { page: 3, colour: 'red' } },
        http: ['GET', '/api/items?page=3&colour=red'],
        status: 200,
        holds: '"type":"number"',
      },
      {
        title: 'body DTO refused by a rule that only the pipe knows',
        tool: 'create_item',
        args: { body: { ...item, contact: 'nobody' } },
        http: ['POST', '/api/items', { ...item, contact: 'nobody' }],
        status: 400,
        holds: 'contact must be an email',
      },
      {
        title: 'parameter pipe',
        tool: 'get_item',
        args: { path: { id: 7 } },
        http: ['GET', '/api/items/7'],
        status: 200,
        holds: '"twice":14',
      },
      {
        title: 'body DTO',
        tool: 'create_item',
        args: { body: item },
        http: ['POST', '/api/items', item],
        status: 201,
        holds: '"isDto":true',
      },
      {
        title: 'nested body DTO',
        tool: 'create_item',
        args: { body: { ...item, address: { street: 'Main', zip: 1010 } } },
        http: ['POST', '/api/items', { ...item, address: { street: 'Main', zip: 1010 } }],
        status: 201,
        holds: '"zip":1010',
      },
      {
        title: 'optional members as null',
        tool: 'create_item',
        args: { body: { ...item, contact: null } },
        http: ['POST', '/api/items', { ...item, contact: null }],
        status: 201,
        holds: '"contact":null',
      },
      {
        title: 'same member name in path and body',
        tool: 'replace_item',
        args: { path: { id: 'a' }, body: item },
        http: ['PUT', '/api/items/a', item],
        status: 200,
        holds: '"id":"a"',
      },
      {
        title: 'single body member',
        tool: 'rename_item',
        args: { path: { id: 'a' }, body: { name: 'b' } },
        http: ['PATCH', '/api/items/a', { name: 'b' }],
        status: 200,
        holds: '"name":"b"',
      },
      {
        title: 'class pipe',
        tool: 'pipe_class',
        args: { path: { text: 'ab' } },
        http: ['GET', '/api/pipes/class/ab'],
        status: 200,
        holds: '"abab"',
      },
      {
        title: 'class and parameter pipe',
        tool: 'pipe_parameter',
        args: { path: { text: 'x' } },
        http: ['GET', '/api/pipes/parameter/x'],
        status: 200,
        holds: '"xx"',
      },
      {
        title: 'parameter pipe that refuses after the class pipe',
        tool: 'pipe_parameter',
        args: { path: { text: 'n' } },
        http: ['GET', '/api/pipes/parameter/n'],
        status: 200,
        holds: '"nn"',
      },
      {
        title: 'ParseBoolPipe',
        tool: 'parse_bool',
        args: { path: { flag: true } },
        http: ['GET', '/api/parse/bool/true'],
        status: 200,
        holds: '"flag":true',
      },
      {
        title: 'ParseEnumPipe',
        tool: 'parse_enum',
        args: { path: { colour: 'blue' } },
        http: ['GET', '/api/parse/enum/blue'],
        status: 200,
        holds: '"blue"',
      },
      {
        title: 'ParseUUIDPipe',
        tool: 'parse_uuid',
        args: { path: { id: uuid } },
        http: ['GET', `/api/parse/uuid/${uuid}`],
        status: 200,
        holds: uuid,
      },
      {
        title: 'ParseUUIDPipe that refuses',
        tool: 'parse_uuid',
        args: { path: { id: 'nope' } },
        http: ['GET', '/api/parse/uuid/nope'],
        status: 400,
        holds: 'uuid is expected',
      },
    ],
  },
  {
    title: 'Guards',
    rows: [
      {
        title: 'global guard lets an identity through',
        tool: 'who_am_i',
        args: {},
        http: ['GET', '/api/who'],
        status: 200,
        holds: '"name":"ann"',
      },
      {
        title: 'global guard refuses (401 is no challenge)',
        tool: 'who_am_i',
        args: {},
        http: ['GET', '/api/who'],
        as: 'nobody',
        status: 401,
        holds: 'who are you?',
      },
      {
        title: 'metadata that a global guard reads',
        tool: 'who_public',
        args: {},
        http: ['GET', '/api/who/public'],
        as: 'nobody',
        status: 200,
        holds: 'nobody',
      },
      {
        title: 'class guard lets an admin through',
        tool: 'admin_report',
        args: {},
        http: ['GET', '/api/admin/report'],
        status: 200,
        holds: 'all is well',
      },
      {
        title: 'class guard refuses',
        tool: 'admin_report',
        args: {},
        http: ['GET', '/api/admin/report'],
        as: 'bob',
        status: 403,
        holds: 'Forbidden',
      },
      {
        title: 'R12: forbidden before the body is judged',
        tool: 'admin_change',
        args: { body: { name: 7 } },
        http: ['POST', '/api/admin/change', { name: 7 }],
        as: 'bob',
        status: 403,
        holds: 'Forbidden',
      },
      {
        title: 'method guard that reads parameters',
        tool: 'write_doc',
        args: { path: { owner: 'ann' }, body: { note: 'hi' } },
        http: ['PUT', '/api/docs/ann', { note: 'hi' }],
        status: 200,
        holds: '"owner":"ann"',
      },
      {
        title: 'R3: method guard refuses another owner',
        tool: 'write_doc',
        args: { path: { owner: 'bob' }, body: { note: 'hi' } },
        http: ['PUT', '/api/docs/bob', { note: 'hi' }],
        status: 403,
        holds: 'not yours',
      },
      {
        title: 'method guard that reads the body',
        tool: 'write_doc',
        args: { path: { owner: 'ann' }, body: { note: 'forbidden' } },
        http: ['PUT', '/api/docs/ann', { note: 'forbidden' }],
        status: 403,
        holds: 'not that',
      },
      {
        title: 'R2: class guard with a provider of its module',
        tool: 'ledger',
        args: {},
        http: ['GET', '/api/ledger'],
        status: 403,
        holds: 'Forbidden',
      },
    ],
  },
  {
    title: 'Interceptors',
    rows: [
      {
        title: 'global interceptor',
        tool: 'get_item',
        args: { path: { id: 1 } },
        http: ['GET', '/api/items/1'],
        status: 200,
        holds: '"stamped":true',
      },
      {
        title: 'class interceptor that wraps the body',
        tool: 'wrapped',
        args: {},
        http: ['GET', '/api/wrapped'],
        status: 200,
        holds: '{"data":{"value":1}}',
      },
    ],
  },
  {
    title: 'Filters and errors',
    rows: [
      {
        title: "A2: the route's own 404",
        tool: 'get_item',
        args: { path: { id: 404 } },
        http: ['GET', '/api/items/404'],
        status: 404,
        holds: 'item 404',
      },
      {
        title: 'global filter writes the envelope',
        tool: 'conflict',
        args: {},
        http: ['GET', '/api/answers/conflict'],
        status: 409,
        holds: '{"fault":{"code":"E_CONFLICT","hint":"wait"}}',
      },
      {
        title: 'class filter',
        tool: 'teapot',
        args: {},
        http: ['GET', '/api/answers/teapot'],
        status: 418,
        holds: '{"teapot":true}',
      },
      {
        title: 'A9: method filter that writes XML',
        tool: 'xml',
        args: {},
        http: ['GET', '/api/answers/xml'],
        status: 404,
        holds: '<fault>gone</fault>',
      },
      {
        title: 'A1: an error that tells no cause',
        tool: 'crash',
        args: {},
        http: ['GET', '/api/answers/crash'],
        status: 500,
        holds: 'Internal server error',
      },
      {
        title: 'P8: a rejection with null',
        tool: 'crash_null',
        args: {},
        http: ['GET', '/api/answers/crash-null'],
        status: 500,
        holds: 'Internal server error',
      },
      {
        title: 'A6: a 401 of the route',
        tool: 'unauthorized',
        args: {},
        http: ['GET', '/api/answers/unauthorized'],
        status: 401,
        holds: 'log in again',
      },
    ],
  },
  {
    title: 'Middleware',
    rows: [
      {
        title: 'middleware sees the request',
        tool: 'who_am_i',
        args: {},
        http: ['GET', '/api/who'],
        as: 'bob',
        status: 200,
        holds: '"trace":"traced"',
      },
      {
        title: 'middleware that answers with a refusal',
        tool: 'blocked',
        args: {},
        http: ['GET', '/api/who/blocked'],
        status: 409,
        holds: '{"blocked":true}',
      },
    ],
  },
  {
    title: 'Answers',
    rows: [
      {
        title: 'text',
        tool: 'text',
        args: {},
        http: ['GET', '/api/answers/text'],
        status: 200,
        holds: 'plain text',
      },
      {
        title: 'A3: nothing',
        tool: 'nothing',
        args: {},
        http: ['GET', '/api/answers/nothing'],
        status: 200,
        holds: '',
      },
      {
        title: 'A3: 204',
        tool: 'remove_item',
        args: { path: { id: 'a' } },
        http: ['DELETE', '/api/items/a'],
        status: 204,
        holds: '',
      },
      {
        title: 'a status of the handler',
        tool: 'accept_item',
        args: { path: { id: 'a' } },
        http: ['POST', '/api/items/a/accept'],
        status: 202,
        holds: '"accepted":"a"',
      },
      {
        title: 'redirect',
        tool: 'elsewhere',
        args: {},
        http: ['GET', '/api/answers/elsewhere'],
        status: 302,
        holds: 'https://example.com/there',
      },
      {
        title: 'A4: a Date, and domain data named content',
        tool: 'date',
        args: {},
        http: ['GET', '/api/answers/date'],
        status: 200,
        holds: '1970-01-01T00:00:00.000Z',
      },
      {
        title: 'array',
        tool: 'array',
        args: {},
        http: ['GET', '/api/answers/array'],
        status: 200,
        holds: '[1,2,3]',
      },
      {
        title: 'S15: a 64-bit id',
        tool: 'big_id',
        args: {},
        http: ['GET', '/api/answers/big-id'],
        status: 200,
        holds: '{"id":9007199254740993}',
      },
      {
        title: 'StreamableFile',
        tool: 'file',
        args: {},
        http: ['GET', '/api/answers/file'],
        status: 200,
        holds: 'streamed text',
      },
      {
        title: 'raw response',
        tool: 'raw_response',
        args: {},
        http: ['GET', '/api/answers/raw'],
        status: 203,
        holds: '{"raw":true}',
      },
    ],
  },
  {
    title: 'Routing and scope',
    rows: [
      {
        title: 'R11: request scope',
        tool: 'scoped',
        args: { path: { id: 'x' } },
        http: ['GET', '/api/scoped/x'],
        status: 200,
        holds: '"path":"/api/scoped/x"',
      },
      {
        title: 'prefix and URI version',
        tool: 'versioned',
        args: {},
        http: ['GET', '/api/v2/versioned'],
        status: 200,
        holds: '"version":2',
      },
      {
        title: 'R8: a slash stays in its segment',
        tool: 'user_by_name',
        args: { path: { name: 'a/b' } },
        http: ['GET', '/api/who/users/a%2Fb'],
        status: 200,
        holds: '"name":"a/b"',
      },
      {
        title: 'unicode and reserved characters in a segment',
        tool: 'user_by_name',
        args: { path: { name: 'ä?#&%' } },
        http: ['GET', '/api/who/users/%C3%A4%3F%23%26%25'],
        status: 200,
        holds: 'ä?#&%',
      },
      {
        title: 'a parameter beside a static sibling',
        tool: 'get_u',
        args: { path: { id: 'x' } },
        http: ['GET', '/api/u/x'],
        as: 'bob',
        status: 200,
        holds: '"id":"x"',
      },
    ],
  },
  {
    title: 'Where a call is another thing than a request',
    rows: [
      {
        title: 'R7: a path argument that spells a sibling route',
        tool: 'get_u',
        args: { path: { id: 'admin' } },
        http: ['GET', '/api/u/admin'],
        status: 200,
        holds: 'of the admin',
        differs: 'own route only',
        toolSays: "another resource than this tool's own",
      },
      {
        title: 'R8: a path argument of dots, which an HTTP client makes another path of',
        tool: 'user_by_name',
        args: { path: { name: '..' } },
        http: ['GET', '/api/who/users/..'],
        status: 200,
        holds: '"user"',
        differs: 'own route only',
        toolSays: 'path.name',
      },
      {
        title: 'a member of the wrong type',
        tool: 'create_item',
        args: { body: { ...item, amount: 'many' } },
        http: ['POST', '/api/items', { ...item, amount: 'many' }],
        status: 400,
        holds: 'amount must be an integer number',
        differs: 'arguments are checked',
        toolSays: 'body.amount must be an integer',
      },
      {
        title: 'null for an optional member of a query',
        tool: 'list_items',
        args: { query: { colour: 'red', page: null } },
        http: ['GET', '/api/items?colour=red&page='],
        status: 400,
        holds: 'page must',
        differs: 'arguments are repaired',
        toolSays: '"page":1',
        toolSucceeds: true,
      },
    ],
  },
];

export const CASES: readonly ParityCase[] = SECTIONS.flatMap(({ rows }) => rows);
