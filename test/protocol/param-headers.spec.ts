import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { IsBoolean, IsInt, IsNumber, IsOptional, IsString } from 'class-validator';
import { McpTool, type McpToolOptions } from '../../src/index.js';
import { FixtureApp } from '../support/fixture-app.js';
import { PLATFORMS } from '../support/platforms.js';
import { DATED, envelope, message, modernHeaders, rpc, verdict } from './wire.js';

class ReportQuery {
  @IsOptional() @IsString() region?: string;
  @IsOptional() @IsInt() year?: number;
  @IsOptional() @IsBoolean() draft?: boolean;
  @IsOptional() @IsNumber() share?: number;
  @IsOptional() @IsString() 'trace id'?: string;
}
class Place {
  @IsString() city!: string;
}
class OrderDto {
  @IsString() sku!: string;
  place!: Place;
}

@Controller('reports')
class ReportsController {
  @McpTool({
    name: 'report',
    description: 'A report.',
    headers: {
      Region: 'query.region',
      Year: 'query.year',
      Draft: 'query.draft',
      Trace: 'query.trace id',
    },
  })
  @Get()
  report(@Query() query: ReportQuery): object {
    return { query };
  }
}

const base64 = (text: string): string => `=?base64?${Buffer.from(text).toString('base64')}?=`;
type Row = readonly [query: object, headers: Record<string, string>, ok: boolean];
const ROWS: readonly Row[] = [
  [{}, {}, true],
  [{ region: null }, {}, true],
  [{ region: 'eu' }, { 'mcp-param-region': 'eu' }, true],
  [{ region: 'eu' }, { 'MCP-PARAM-REGION': ' eu ' }, true],
  [{ region: 'eu' }, { 'mcp-param-region': base64('eu') }, true],
  [{ region: 'Zürich ' }, { 'mcp-param-region': base64('Zürich ') }, true],
  [{ region: '' }, { 'mcp-param-region': '' }, true],
  [{ year: 2026 }, { 'mcp-param-year': '2026' }, true],
  [{ year: 2026 }, { 'mcp-param-year': '2026.0' }, true],
  [{ draft: false }, { 'mcp-param-draft': 'false' }, true],
  [{ region: {} }, {}, true],
  [{ trace_id: 'x' }, { 'mcp-param-trace': 'x' }, true],
  [{ 'trace id': 'x' }, { 'mcp-param-trace': 'x' }, true],
  [{ trace_id: 'x' }, {}, false],
  [{ region: 'eu' }, {}, false],
  [{}, { 'mcp-param-region': 'eu' }, false],
  [{ region: 'eu' }, { 'mcp-param-region': 'EU' }, false],
  [{ region: 'eu' }, { 'mcp-param-region': 'us' }, false],
  [{ region: 'eu' }, { 'mcp-param-region': '=?base64?ZXU?=' }, false],
  [{ region: 'eu' }, { 'mcp-param-region': base64('us') }, false],
  [{ year: 2026 }, { 'mcp-param-year': '2027' }, false],
  [{ year: 2026 }, { 'mcp-param-year': '2.026e3' }, false],
  [{ year: 2026 }, { 'mcp-param-year': '0x7ea' }, false],
  [{ draft: true }, { 'mcp-param-draft': 'True' }, false],
  [{ draft: true }, { 'mcp-param-draft': '1' }, false],
];

describe.each(PLATFORMS)('protocol on $name: Mcp-Param-* headers', (platform) => {
  let app: FixtureApp;
  beforeAll(async () => {
    app = await FixtureApp.start({ controllers: [ReportsController], platform });
  });
  afterAll(() => app.close());

  const schemaOf = (answer: Awaited<ReturnType<FixtureApp['post']>>): Record<string, object> => {
    const [tool] = rpc(answer).result?.['tools'] as {
      inputSchema: { properties: { query: { properties: Record<string, object> } } };
    }[];
    return tool?.inputSchema.properties.query.properties ?? {};
  };

  it('are declared in 2026-07-28, on the argument', async () => {
    const listed = schemaOf(await app.request('tools/list'));
    expect(listed).toMatchObject({
      region: { 'x-mcp-header': 'Region', type: 'string' },
      year: { 'x-mcp-header': 'Year', type: 'integer' },
      draft: { 'x-mcp-header': 'Draft' },
      // The name that clients are shown in place of one that not all of them take.
      trace_id: { 'x-mcp-header': 'Trace', type: 'string' },
    });
    expect(Object.keys(listed)).not.toContain('trace id');
    expect(listed['share']).not.toHaveProperty('x-mcp-header');
  });

  it.each(DATED)('are not declared and not asked for in %s', async (revision) => {
    const headers = { 'mcp-protocol-version': revision };
    const list = await app.post(message('tools/list'), headers);
    expect(list.text).not.toContain('x-mcp-header');
    const params = { name: 'report', arguments: { query: { region: 'eu' } } };
    for (const more of [{}, { 'mcp-param-region': 'us' }] as Record<string, string>[]) {
      const answer = await app.post(message('tools/call', params), { ...headers, ...more });
      expect(rpc(answer).result).toMatchObject({ content: [{ type: 'text' }] });
    }
  });

  it.each(ROWS)('%j with %j', async (query, headers, ok) => {
    const params = { name: 'report', arguments: { query }, _meta: envelope() };
    const answer = await app.post(message('tools/call', params), {
      ...modernHeaders('tools/call', 'report'),
      ...headers,
    });
    expect(verdict(answer)).toEqual(ok ? [200, undefined] : [400, -32020]);
  });
});

type Bad = readonly [title: string, options: McpToolOptions, says: RegExp];
const BAD: readonly Bad[] = [
  ['an empty name', { headers: { '': 'body.sku' } }, /the name is not one or more/],
  ['a name with a space', { headers: { 'My Sku': 'body.sku' } }, /the name is not one or more/],
  [
    'a name with a line break',
    { headers: { 'A\r\nB': 'body.sku' } },
    /the name is not one or more/,
  ],
  [
    'two names that differ in letter case',
    { headers: { Sku: 'body.sku', SKU: 'body.place.city' } },
    /"Sku" is the same header name/,
  ],
  ['an argument that is not there', { headers: { X: 'body.absent' } }, /no argument "body.absent"/],
  ['a member of every object', { headers: { X: 'body.constructor' } }, /no argument/],
  ['an object', { headers: { X: 'body' } }, /not of the type string, integer, boolean/],
  ['the wrong layout', { headers: { X: 'sku' } }, /no argument "sku"/],
  [
    'the keyword in a schema of one’s own',
    { input: { type: 'object', properties: { body: { type: 'string', 'x-mcp-header': 'X' } } } },
    /has the keyword x-mcp-header/,
  ],
];

describe('protocol: @McpTool({ headers }) at start-up', () => {
  it.each(BAD)('refuses %s', async (_, options, says) => {
    class OrdersController {
      order(body: OrderDto): OrderDto {
        return body;
      }
    }
    const { prototype } = OrdersController;
    const method = Object.getOwnPropertyDescriptor(prototype, 'order') as PropertyDescriptor;
    Reflect.defineMetadata('design:paramtypes', [OrderDto], prototype, 'order');
    Body()(prototype, 'order', 0);
    McpTool({ name: 'order', ...options })(prototype, 'order', method);
    Post()(prototype, 'order', method);
    Controller('orders')(OrdersController);
    const app = await FixtureApp.create({ controllers: [OrdersController] });
    await expect(app.init()).rejects.toThrow(says);
    await app.close();
  });

  it('a number that is no integer is refused', async () => {
    @Controller('numbers')
    class NumbersController {
      @McpTool({ name: 'n', headers: { Share: 'query.share' } })
      @Get()
      n(@Query() query: ReportQuery): object {
        return query;
      }
    }
    const app = await FixtureApp.create({ controllers: [NumbersController] });
    await expect(app.init()).rejects.toThrow('not of the type string, integer, boolean');
    await app.close();
  });
});
