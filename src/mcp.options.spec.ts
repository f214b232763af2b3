import { resolveOptions } from './mcp.options.check.js';
import { DEFAULTS } from './mcp.options.js';

/** The one problem that a value of an option has. */
function problem(name: string, value: unknown): string {
  const { problems } = resolveOptions({ [name]: value });
  expect(problems).toHaveLength(1);
  return problems[0] ?? '';
}

function accepted(name: string, value: unknown): unknown {
  const { options, problems } = resolveOptions({ [name]: value });
  expect(problems).toEqual([]);
  return (options as unknown as Record<string, unknown>)[name];
}

describe('options: defaults', () => {
  it('are in place, frozen, where nothing is given', () => {
    const { options, problems } = resolveOptions({});
    expect(problems).toEqual([]);
    expect(options).toEqual(DEFAULTS);
    expect(Object.isFrozen(options)).toBe(true);
  });

  it('are what the design says', () => {
    expect(DEFAULTS).toMatchObject({
      path: 'mcp',
      arguments: 'grouped',
      forwardHeaders: [],
      forwardCookies: [],
      listScope: 'private',
      maxRequestBytes: 1_048_576,
      maxResultBytes: 2_097_152,
      maxDepth: 128,
      callTimeoutMs: 60_000,
      shutdownGraceMs: 20_000,
      pageSize: 100,
      listTtlMs: 300_000,
      streamAfterMs: 2_000,
      sessions: false,
    });
  });

  it.each(Object.keys(DEFAULTS))('%s: undefined is the default', (name) => {
    expect(accepted(name, undefined)).toEqual(DEFAULTS[name as keyof typeof DEFAULTS]);
  });

  it('stand in for a wrong value, so that everything else can be checked', () => {
    const { options, problems } = resolveOptions({ maxDepth: 1, pageSize: 7 });
    expect(problems).toHaveLength(1);
    expect(options).toMatchObject({ maxDepth: 128, pageSize: 7 });
  });
});

const RANGES: readonly [name: string, least: number, most: number, fallback: string][] = [
  ['maxRequestBytes', 1024, 1_073_741_824, '1048576'],
  ['maxResultBytes', 1024, 1_073_741_824, '2097152'],
  ['maxDepth', 8, 1000, '128'],
  ['callTimeoutMs', 1, 86_400_000, '60000'],
  ['maxConcurrentCalls', 1, 1_000_000, 'no bound'],
  ['shutdownGraceMs', 0, 3_600_000, '20000'],
  ['pageSize', 1, 10_000, '100'],
  ['listTtlMs', 0, 31_536_000_000, '300000'],
  ['streamAfterMs', 0, 86_400_000, '2000'],
];

describe.each(RANGES)('options: %s', (name, least, most, fallback) => {
  it.each([least, least + 1, most])('takes %d', (value) => {
    expect(accepted(name, value)).toBe(value);
  });

  it.each<[string, unknown]>([
    [String(least - 1), least - 1],
    [String(most + 1), most + 1],
    [String(least + 0.5), least + 0.5],
    [`"${least}"`, String(least)],
    ['null', null],
    ['true', true],
    ['NaN', NaN],
    ['Infinity', Infinity],
    ['-Infinity', -Infinity],
    [`${least}n`, BigInt(least)],
    ['{}', {}],
    ['a function', () => least],
  ])('refuses %s, and says the range', (shown, value) => {
    expect(problem(name, value)).toBe(
      `option ${name}: ${shown} is not an integer from ${least} to ${most}. Give a number in that range, or leave it out for ${fallback}.`,
    );
  });
});

describe('options: words', () => {
  it.each([
    ['arguments', ['grouped', 'flat']],
    ['listScope', ['private', 'public']],
  ])('%s', (name, words) => {
    for (const word of words) expect(accepted(name, word)).toBe(word);
    for (const value of ['', 'GROUPED', 'nested', 1, null, [words[0]]]) {
      expect(problem(name, value)).toBe(
        `option ${name}: ${JSON.stringify(value)} is none of '${words[0]}', '${words[1]}'. Give one of them, or leave it out.`,
      );
    }
  });
});

describe('options: texts', () => {
  it.each(['name', 'version', 'title', 'instructions'])('%s', (name) => {
    expect(accepted(name, 'a text')).toBe('a text');
    for (const value of [7, null, ['a'], {}]) {
      expect(problem(name, value)).toBe(
        `option ${name}: ${JSON.stringify(value)} is not a string. Give one, or leave it out.`,
      );
    }
  });

  it.each([
    ['mcp', 'mcp'],
    ['/mcp', 'mcp'],
    ['agents/mcp', 'agents/mcp'],
    ['/a-b/c_d/e.f/~g', 'a-b/c_d/e.f/~g'],
  ])('path %j', (given, path) => {
    expect(accepted('path', given)).toBe(path);
  });

  it.each([
    '',
    '/',
    'mcp/',
    '//mcp',
    'a//b',
    ':id',
    'a/:id',
    '*',
    '{a}',
    'a b',
    'a?b',
    'a#b',
    'ä',
    'a%20b',
    '(a)',
  ])('path refuses %j', (value) => {
    expect(problem('path', value)).toBe(
      `option path: ${JSON.stringify(value)} is not a path of plain segments. Give one like 'mcp' or 'agents/mcp', without parameters.`,
    );
  });

  it.each(['.', '..', '../mcp', 'a/../b', './mcp'])(
    'path refuses %j, which no client can reach',
    (value) => {
      expect(problem('path', value)).toContain(
        `option path: ${JSON.stringify(value)} is not a path`,
      );
    },
  );
});

describe('options: lists of texts', () => {
  it.each(['tags', 'forwardHeaders', 'forwardCookies', 'allowedHosts', 'allowedOrigins'])(
    '%s takes none',
    (name) => {
      expect(accepted(name, [])).toEqual([]);
    },
  );

  it.each(['tags', 'forwardHeaders', 'forwardCookies', 'allowedHosts', 'allowedOrigins'])(
    '%s refuses what is no list of texts',
    (name) => {
      for (const value of ['a', 7, null, {}, [7], [''], ['a', null]]) {
        expect(problem(name, value)).toBe(
          `option ${name}: ${JSON.stringify(value)} is not a list of non-empty strings. Give an array of strings, or leave it out.`,
        );
      }
    },
  );

  it('forwardHeaders and allowedHosts count without case', () => {
    expect(accepted('forwardHeaders', ['X-Api-Key', 'if-match'])).toEqual([
      'x-api-key',
      'if-match',
    ]);
    expect(accepted('allowedHosts', ['API.example.com', '[2001:DB8::1]'])).toEqual([
      'api.example.com',
      '[2001:db8::1]',
    ]);
  });

  it('forwardCookies and tags count with it', () => {
    expect(accepted('forwardCookies', ['Theme', '__Host-session'])).toEqual([
      'Theme',
      '__Host-session',
    ]);
    expect(accepted('tags', ['Orders'])).toEqual(['Orders']);
  });

  it.each([
    'Origin',
    'host',
    'connection',
    'expect',
    'upgrade',
    'te',
    'trailer',
    'transfer-encoding',
    'accept',
    'Accept-Encoding',
    'keep-alive',
    'content-type',
    'Content-Length',
    'sec-fetch-site',
    'proxy-authorization',
    'mcp-session-id',
  ])('forwardHeaders refuses %s', (header) => {
    expect(problem('forwardHeaders', ['x-ok', header])).toBe(
      `option forwardHeaders: ["x-ok","${header}"] has "${header}", which a call writes itself or never carries over. Leave it out.`,
    );
  });

  it('forwardHeaders refuses cookie, and says where cookies are named', () => {
    expect(problem('forwardHeaders', ['Cookie'])).toBe(
      'option forwardHeaders: ["Cookie"] has "Cookie", which a call writes itself or never carries over. Leave it out and name cookies in forwardCookies.',
    );
  });

  it.each(['x key', 'x:y', 'ä', 'x\r\ny', '"x"', 'x,y'])(
    '%j is the name of no header and no cookie',
    (name) => {
      const shown = JSON.stringify([name]);
      const item = JSON.stringify(name);
      expect(problem('forwardHeaders', [name])).toBe(
        `option forwardHeaders: ${shown} has ${item}, which is not a header name.`,
      );
      expect(problem('forwardCookies', [name])).toBe(
        `option forwardCookies: ${shown} has ${item}, which is not a cookie name.`,
      );
    },
  );

  it.each([
    'https://example.com',
    'example.com:443',
    'example.com/',
    '*',
    '*.example.com',
    'a b',
    '::1',
  ])('allowedHosts refuses %j', (host) => {
    expect(problem('allowedHosts', [host])).toBe(
      `option allowedHosts: ["${host}"] has "${host}", which is not a host name without scheme and port, like 'api.example.com'.`,
    );
  });

  it.each([
    'https://inspector.example.com',
    'http://localhost:5173',
    'http://[::1]:8080',
    'http://10.0.0.1',
  ])('allowedOrigins takes %s', (origin) => {
    expect(accepted('allowedOrigins', [origin])).toEqual([origin]);
  });

  it.each([
    'example.com',
    'https://example.com/',
    'https://example.com/path',
    'https://EXAMPLE.com',
    'https://example.com:443',
    'http://example.com:80',
    'https://user@example.com',
    'https://*.example.com',
    'file:///x',
    'https://',
  ])('allowedOrigins refuses %s, which no browser sends', (origin) => {
    expect(problem('allowedOrigins', [origin])).toBe(
      `option allowedOrigins: ["${origin}"] has "${origin}", which is not an origin like 'https://inspector.example.com' (scheme, host, port; no path, no trailing slash).`,
    );
  });

  it.each(['*', 'null'])('allowedOrigins refuses %s, which is everybody', (origin) => {
    expect(problem('allowedOrigins', [origin])).toBe(
      `option allowedOrigins: ["${origin}"] has "${origin}", which would let any page call the endpoint. List the origins, or decide in allowOrigin.`,
    );
  });
});

describe('options: functions', () => {
  it.each(['include', 'allowOrigin', 'versionHeaders'])('%s', (name) => {
    const decide = (): boolean => true;
    expect(accepted(name, decide)).toBe(decide);
    for (const value of [true, 'x', {}, null]) {
      expect(problem(name, value)).toBe(
        `option ${name}: ${JSON.stringify(value)} is not a function. Give one, or leave it out.`,
      );
    }
  });
});

describe('options: secret', () => {
  const LENGTH =
    'is not a string of at least 16 characters. Give a longer secret, the same for every instance.';

  it('takes 16 characters', () => {
    expect(accepted('secret', '0123456789abcdef')).toBe('0123456789abcdef');
  });

  it('refuses 15, and does not print them', () => {
    expect(problem('secret', '0123456789abcde')).toBe(
      `option secret: a string of 15 characters ${LENGTH}`,
    );
  });

  it.each([7, null, ['0123456789abcdef']])('refuses %j', (value) => {
    expect(problem('secret', value)).toMatch(
      /^option secret: .* is not a string of at least 16 characters/,
    );
  });
});

describe('options: icons', () => {
  it.each<[string, object[]]>([
    ['none', []],
    ['a web address', [{ src: 'https://example.com/icon.png' }]],
    [
      'a picture itself',
      [
        {
          src: 'data:image/png;base64,AAAA',
          mimeType: 'image/png',
          sizes: ['48x48', 'any'],
          theme: 'dark',
        },
      ],
    ],
  ])('take %s', (_, icons) => {
    expect(accepted('icons', icons)).toEqual(icons);
  });

  it('are a list', () => {
    expect(problem('icons', 'icon.png')).toBe(
      'option icons: "icon.png" is not a list. Give an array, or leave it out.',
    );
  });

  it.each<[string, unknown]>([
    ['a text', 'https://example.com/icon.png'],
    ['null', null],
    ['no src', {}],
    ['a src without scheme', { src: '/icon.png' }],
    ['a src that a page would run', { src: 'javascript:alert(1)' }],
    ['a src in the clear', { src: 'http://example.com/icon.png' }],
    ['a mimeType that is no text', { src: 'https://example.com/i', mimeType: 7 }],
    ['sizes that are no list', { src: 'https://example.com/i', sizes: '48x48' }],
    ['sizes that are none', { src: 'https://example.com/i', sizes: ['48'] }],
    ['another theme', { src: 'https://example.com/i', theme: 'sepia' }],
  ])('have no entry that is %s', (_, icon) => {
    expect(problem('icons', [{ src: 'https://example.com/ok.png' }, icon])).toContain(
      `has ${JSON.stringify(icon)}, which is not an icon`,
    );
  });
});

describe('options: sessions', () => {
  it.each([false, undefined])('%j has none', (sessions) => {
    expect(accepted('sessions', sessions)).toBe(false);
  });

  it('{} has the defaults', () => {
    expect(accepted('sessions', {})).toEqual({ max: 10_000, idleTimeoutMs: 86_400_000 });
    expect(accepted('sessions', { max: undefined })).toEqual({
      max: 10_000,
      idleTimeoutMs: 86_400_000,
    });
  });

  it.each([true, 'on', 7])('%j is neither', (sessions) => {
    expect(problem('sessions', sessions)).toBe(
      `option sessions: ${JSON.stringify(sessions)} is neither false nor an object. Give { } for sessions with the defaults.`,
    );
  });

  it.each<[string, unknown, string]>([
    [
      'max',
      0,
      '0 is not an integer from 1 to 10000000. Give a number in that range, or leave it out for 10000.',
    ],
    [
      'max',
      10_000_001,
      '10000001 is not an integer from 1 to 10000000. Give a number in that range, or leave it out for 10000.',
    ],
    [
      'max',
      NaN,
      'NaN is not an integer from 1 to 10000000. Give a number in that range, or leave it out for 10000.',
    ],
    [
      'idleTimeoutMs',
      999,
      '999 is not an integer from 1000 to 31536000000. Give a number in that range, or leave it out for 86400000.',
    ],
    ['store', {}, 'it has no open, touch, onForgotten, close. Extend McpSessionStore.'],
    ['store', null, 'it has no open, touch, onForgotten, close. Extend McpSessionStore.'],
    ['bus', { publish: () => undefined }, 'it has no subscribe, close. Extend McpEventBus.'],
    ['bus', null, 'it has no publish, subscribe, close. Extend McpEventBus.'],
    ['principal', 'sub', 'it is not a function. Give one, or leave it out.'],
    ['size', 7, 'there is no such option. There are: max, idleTimeoutMs, store, bus, principal.'],
  ])('%s: %j', (name, value, expected) => {
    expect(problem('sessions', { [name]: value })).toBe(`option sessions.${name}: ${expected}`);
  });
});

describe('options: policy', () => {
  it.each(['recheck', 'requireResponseGuard'])('%s', (name) => {
    expect(accepted(name, true)).toBe(true);
    for (const value of ['true', 1, null]) {
      expect(problem(name, value)).toBe(
        `option ${name}: ${JSON.stringify(value)} is neither true nor false. Give one of them.`,
      );
    }
  });

  it.each([
    ['responseGuard', 'check', 'McpResponseGuard'],
    ['observer', 'observe', 'McpObserver'],
  ])('%s', (name, method, base) => {
    class Given {}
    const given = { [method]: (): void => undefined };
    expect(accepted(name, Given)).toBe(Given);
    expect(accepted(name, given)).toBe(given);
    for (const value of [{}, { [method]: true }, 'Given', true, null]) {
      expect(problem(name, value)).toBe(
        `option ${name}: ${JSON.stringify(value)} is neither a class nor an object with ${method}(). Extend ${base}.`,
      );
    }
  });

  it('observeArguments', () => {
    for (const value of [false, { redact: [] }, { redact: ['password'] }]) {
      expect(accepted('observeArguments', value)).toEqual(value);
    }
    for (const value of [true, {}, { redact: 'password' }, { redact: [7] }, 'all', null]) {
      expect(problem('observeArguments', value)).toBe(
        `option observeArguments: ${JSON.stringify(value)} is neither false nor { redact: [...] }. Name the members that nobody may see; an empty list blackens nothing.`,
      );
    }
  });
});

describe('options: that do not exist', () => {
  it.each(['nmae', 'toString', 'constructor', '__proto', 'Path', ''])(
    '%j is told which there are',
    (name) => {
      expect(problem(name, 1)).toMatch(
        new RegExp(
          `^option ${name}: 1 is given to an option that does not exist\\. The options are: name, version, .*, imports, guards, decorators, isGlobal\\.$`,
        ),
      );
    },
  );

  it('the options that mount the module are no concern of this check', () => {
    const { problems } = resolveOptions({
      guards: [],
      imports: [],
      decorators: [],
      isGlobal: true,
    });
    expect(problems).toEqual([]);
  });

  it('a value that JSON cannot show is shown somehow', () => {
    const circular: { self?: unknown } = {};
    circular.self = circular;
    for (const value of [circular, Symbol('x'), 10n, new Map()]) {
      expect(problem('name', value)).toMatch(
        /^option name: .+ is not a string\. Give one, or leave it out\.$/,
      );
    }
  });
});
