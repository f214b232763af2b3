/** @file What a client sees of the schemas, and what becomes of its arguments. */
import {
  Body,
  Controller,
  Get,
  Header,
  ParseIntPipe,
  Patch,
  Post,
  Query,
  ValidationPipe,
} from '@nestjs/common';
import { ApiOkResponse, ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import * as v from 'class-validator';
import { McpTool } from '../../src/index.js';
import { FixtureApp, textOf } from '../support/fixture-app.js';
import { PLATFORMS } from '../support/platforms.js';

class Address {
  @v.IsString() line1!: string;
  @v.IsOptional() @v.IsString() line2?: string;
}
class AddressView {
  @ApiProperty() line1!: string;
  @ApiPropertyOptional() line2?: string;
  @ApiProperty() @v.IsOptional() city?: string;
}
class Change {
  @v.IsOptional() @v.IsString() plain?: string;
  @ApiProperty({ nullable: true, required: false }) @v.IsOptional() @v.IsString() cleared?:
    string | null;
  @Type(() => Number) @v.IsOptional() @v.IsInt() count?: number;
  @v.IsOptional() @v.ValidateNested() @Type(() => Address) address?: Address;
  @Transform(({ value }: { value: unknown }) => String(value).split(','), { toClassOnly: true })
  @ApiProperty({ type: String, enum: ['a', 'a,b'], description: 'Tags.' })
  @v.IsOptional()
  @v.IsArray()
  tags?: string[];
}
class Size {
  @v.IsInt() size!: number;
}

@Controller()
class ThingsController {
  @McpTool('change_thing') @Patch('things') change(@Body() body: Change): object {
    return { got: body };
  }
  @McpTool('add_thing') @Post('things') add(
    @Body() address: Address,
    @Body() size: Size,
    @Body('count', ParseIntPipe) count: number,
  ): object {
    return { address, size, count };
  }
  @McpTool('get_address') @Get('address') @ApiOkResponse({ type: AddressView }) address(): object {
    return { line1: 'a', line2: null, city: null };
  }
  @McpTool('find_things')
  @Get('things')
  find(@Query('$top') top: string, @Query('filter[name]') name: string): object {
    return { top, name };
  }
}

describe.each(PLATFORMS)('schema on $name: what is shown, and what is taken', (platform) => {
  let app: FixtureApp;
  let tools: Map<string, Record<string, never>>;
  beforeAll(async () => {
    app = await FixtureApp.start({
      platform,
      controllers: [ThingsController],
      configure: (nest) => void nest.useGlobalPipes(new ValidationPipe({ whitelist: true })),
    });
    const client = await app.client();
    tools = new Map(
      (await client.listTools()).map((tool) => [
        tool.name,
        tool as unknown as Record<string, never>,
      ]),
    );
  });
  afterAll(() => app.close());

  it('S7, S9: one spelling is shown of each member', () => {
    expect(tools.get('change_thing')?.['inputSchema']?.['properties']?.['body']).toEqual({
      type: 'object',
      properties: {
        plain: { type: 'string' },
        cleared: { type: ['string', 'null'] },
        count: { type: 'integer' },
        address: {
          type: 'object',
          properties: { line1: { type: 'string' }, line2: { type: 'string' } },
          required: ['line1'],
          additionalProperties: false,
        },
        tags: { type: 'string', enum: ['a', 'a,b'], description: 'Tags.' },
      },
      additionalProperties: false,
    });
  });

  it('S7: null arrives in a body where the route takes it, and is left out of what is written as text', async () => {
    const body = { plain: null, cleared: null };
    const result = await app.call('change_thing', { body });
    expect(result.structuredContent).toEqual({ got: { plain: null, cleared: null } });
    const found = await app.call('find_things', { query: { _top: null, filter_name_: 'a' } });
    expect(found.isError).toBeUndefined();
    expect(textOf(found)).not.toContain('top');
  });

  it('takes every spelling that the route takes', async () => {
    const body = { count: '7', tags: 'x,y' };
    const result = await app.call('change_thing', { body });
    expect(result.isError).toBeUndefined();
    expect((await app.call('change_thing', { body: { count: {} } })).isError).toBe(true);
  });

  it('several parameters that read one body all get their part of it', async () => {
    const body = { line1: 'a', size: 2, count: 3 };
    const over = await app.http('POST', '/things', { body });
    const result = await app.call('add_thing', { body });
    expect(over.json()).toEqual({ address: { line1: 'a' }, size: { size: 2 }, count: 3 });
    expect(result.structuredContent).toEqual(over.json());
    const refused = await app.call('add_thing', { body: { ...body, size: 'x' } });
    expect(refused.isError).toBe(true);
  });

  it('takes null in an answer for a member that may be missing', async () => {
    const result = await app.call('get_address');
    expect(result.isError).toBeUndefined();
    expect(result.structuredContent).toEqual({ line1: 'a', line2: null, city: null });
  });

  it('gives members names that every client takes, and the route their own', async () => {
    expect(
      Object.keys(
        tools.get('find_things')?.['inputSchema']?.['properties']?.['query']?.['properties'] ?? {},
      ),
    ).toEqual(['_top', 'filter_name_']);
    const result = await app.call('find_things', { query: { _top: '5', filter_name_: 'a' } });
    expect(textOf(result)).toContain('"top":"5"');
  });
});

@Controller('listed')
class ListedController {
  @McpTool('find_listed')
  @Get()
  find(@Query() query: object): object {
    return { query };
  }
  @McpTool('get_big') @Get('big') @Header('content-type', 'application/json') big(): string {
    return '{"id": 9007199254740993, "at": 1.50}';
  }
}

describe.each(PLATFORMS)('schema on $name: S10, S15, what is read back', (platform) => {
  let app: FixtureApp;
  beforeAll(async () => {
    app = await FixtureApp.start({ platform, controllers: [ListedController] });
  });
  afterAll(() => app.close());

  it.each([[{ ids: ['a', 'b'] }], [{ at: '2026-01-31T10:00:00.000Z' }], [{ q: 'a,b & c=d' }]])(
    'S10: %j arrives as an equal value',
    async (query) => {
      const result = await app.call('find_listed', { query });
      expect(result.structuredContent).toEqual({ query });
    },
  );

  it('S10: what the query parser of the application cannot read back is refused, never changed', async () => {
    const result = await app.call('find_listed', { query: { filter: { eq: 'v' } } });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('query.filter');
  });

  it('S15: an answer is the text of the route, byte for byte', async () => {
    const over = await app.http('GET', '/listed/big');
    expect(over.text).toBe('{"id": 9007199254740993, "at": 1.50}');
    expect(textOf(await app.call('get_big'))).toBe(over.text);
  });
});
