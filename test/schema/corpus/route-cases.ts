/** @file Parameter sets: what routes read beside one whole body, and the values to try in each member. */
import 'reflect-metadata';
import {
  Body,
  Controller,
  DefaultValuePipe,
  Get,
  Headers,
  Param,
  ParseArrayPipe,
  ParseBoolPipe,
  ParseDatePipe,
  ParseEnumPipe,
  ParseFloatPipe,
  ParseIntPipe,
  ParseUUIDPipe,
  Patch,
  Post,
  Put,
  Query,
  StandardSchemaValidationPipe,
  UsePipes,
  ValidationPipe,
} from '@nestjs/common';
import {
  ApiBody,
  type ApiBodyOptions,
  ApiConsumes,
  ApiProperty,
  ApiQuery,
  PartialType,
} from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import * as v from 'class-validator';
import { z } from 'zod';
import { McpTool } from '../../../src/index.js';
import { MISSING } from './boundaries.js';

/** What one parameter set is tried with. */
export interface RouteCase {
  /** Arguments that the route takes, by group. */
  readonly valid: Readonly<Record<string, unknown>>;
  /** By the member's place among the arguments, such as `query.page`. */
  readonly tries: Readonly<Record<string, readonly unknown[]>>;
}

enum Size {
  Small = 'small',
  Large = 'large',
}
enum Rank {
  First = 1,
  Second = 2,
}
const uuid = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const echo = (...values: unknown[]): object => ({ values });
const checked = (options = {}): ValidationPipe => new ValidationPipe(options);

class PageQuery {
  @v.IsOptional() @Type(() => Number) @v.IsInt() @v.Min(1) page?: number;
  @v.IsOptional() @Type(() => Number) @v.IsInt() @v.Min(1) @v.Max(100) size: number = 20;
  @v.IsOptional() @v.IsIn(['name', 'date']) sort?: string;
}
class ImplicitQuery {
  @v.IsInt() @v.Max(9) level!: number;
  @v.IsOptional() @v.IsBoolean() active?: boolean;
  @v.IsOptional() @v.IsString() @v.Length(1, 3) code?: string;
}
class TextQuery {
  @v.IsString() @v.MinLength(2) q!: string;
  @v.IsOptional() @v.IsNumberString() digits?: string;
  @v.IsOptional() @v.IsBooleanString() flag?: string;
  @v.IsOptional() @v.IsDateString() since?: string;
}
class RankQuery {
  @Type(() => Number) @v.IsEnum(Rank) rank!: Rank;
  @v.IsOptional() @v.IsEnum(Size) size?: Size;
}
class SplitQuery {
  @Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' ? value.split(',') : value,
  )
  @v.IsArray()
  @v.ArrayMaxSize(2)
  @ApiProperty({ type: String, description: 'Comma-separated.' })
  tags!: string[];
  @v.IsOptional()
  @Transform(({ value }: { value: unknown }) => value === 'true')
  @v.IsBoolean()
  deep?: boolean;
}
class ListQuery {
  @v.IsArray() @v.IsString({ each: true }) @v.ArrayMaxSize(3) names!: string[];
}
class IdParams {
  @v.IsUUID() id!: string;
  @Type(() => Number) @v.IsInt() @v.Min(1) version!: number;
}
class Item {
  @v.IsString() @v.MinLength(1) name!: string;
  @v.IsOptional() @v.IsInt() @v.Min(1) count?: number;
}
class Customer {
  @v.IsString() @v.MaxLength(5) name!: string;
  @v.IsOptional() @v.IsEmail() email?: string;
  @v.IsOptional() @v.ValidateNested() @Type(() => Item) item?: Item;
}
class CustomerChange extends PartialType(Customer) {}
class Declared {
  @ApiProperty({ minimum: 1 }) count!: number;
  @ApiProperty({ enum: Size, nullable: true }) size!: Size;
  @ApiProperty({ type: [String], required: false }) tags?: string[];
}
class FormBody {
  @v.IsString() @v.MinLength(2) name!: string;
  @Type(() => Number) @v.IsInt() @v.Max(10) count!: number;
  @v.IsOptional() @v.IsIn(['a', 'b']) choice?: string;
}

/** OpenAPI's own way to say it, which the types of `@ApiBody()` leave out. */
const MEDIA = {
  required: true,
  content: {
    'application/json': {
      schema: { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] },
    },
  },
} as ApiBodyOptions;

const order = z.object({
  sku: z.string().min(2).max(4),
  quantity: z.int().min(1).max(9),
  note: z.string().optional(),
  gift: z.boolean().default(false),
  size: z.enum(['small', 'large']).nullable(),
});
const search = z.object({
  q: z.string().min(1),
  limit: z.coerce.number().int().max(50).optional(),
});

// prettier-ignore
@Controller('sets')
export class SetsController {
  @McpTool('path_int') @Get('int/:id') pathInt(@Param('id', ParseIntPipe) id: number) { return echo(id); }
  @McpTool('path_float') @Get('float/:id') pathFloat(@Param('id', ParseFloatPipe) id: number) { return echo(id); }
  @McpTool('path_bool') @Get('bool/:on') pathBool(@Param('on', ParseBoolPipe) on: boolean) { return echo(on); }
  @McpTool('path_uuid') @Get('uuid/:id') pathUuid(@Param('id', ParseUUIDPipe) id: string) { return echo(id); }
  @McpTool('path_enum') @Get('enum/:size') pathEnum(@Param('size', new ParseEnumPipe(Size)) size: Size) { return echo(size); }
  @McpTool('path_rank') @Get('rank/:rank') pathRank(@Param('rank', new ParseEnumPipe(Rank)) rank: Rank) { return echo(rank); }
  @McpTool('path_plain') @Get('plain/:name') pathPlain(@Param('name') name: string) { return echo(name); }
  @McpTool('path_class') @Get('class/:id/:version') @UsePipes(checked()) pathClass(@Param() params: IdParams) { return echo(params); }

  @McpTool('query_page') @Get('page') @UsePipes(checked({ whitelist: true })) queryPage(@Query() query: PageQuery) { return echo(query); }
  @McpTool('query_implicit') @Get('implicit')
  @UsePipes(checked({ transform: true, transformOptions: { enableImplicitConversion: true } }))
  queryImplicit(@Query() query: ImplicitQuery) { return echo(query); }
  @McpTool('query_text') @Get('text') @UsePipes(checked()) queryText(@Query() query: TextQuery) { return echo(query); }
  @McpTool('query_rank') @Get('ranked') @UsePipes(checked()) queryRank(@Query() query: RankQuery) { return echo(query); }
  @McpTool('query_split') @Get('split') @UsePipes(checked()) querySplit(@Query() query: SplitQuery) { return echo(query); }
  @McpTool('query_list') @Get('list') @UsePipes(checked()) queryList(@Query() query: ListQuery) { return echo(query); }
  @McpTool('query_pipes') @Get('pipes')
  queryPipes(
    @Query('int', ParseIntPipe) int: number,
    @Query('maybe', new ParseIntPipe({ optional: true })) maybe: number,
    @Query('late', new DefaultValuePipe(1), ParseIntPipe) late: number,
    @Query('flag', new ParseBoolPipe({ optional: true })) flag: boolean,
    @Query('at', new ParseDatePipe({ optional: true })) at: Date,
    @Query('ids', new ParseArrayPipe({ items: Number, optional: true })) ids: number[],
  ) { return echo(int, maybe, late, flag, at, ids); }
  @McpTool('query_plain') @Get('unchecked') @ApiQuery({ name: 'mode', enum: Size, required: true })
  queryPlain(@Query('q') q: string, @Query('n') n: number, @Query('mode') mode: Size) { return echo(q, n, mode); }
  @McpTool('query_zod') @Get('zod') @UsePipes(new StandardSchemaValidationPipe())
  queryZod(@Query({ schema: search }) query: object) { return echo(query); }

  @McpTool('header_plain') @Get('header') headerPlain(@Headers('x-tenant') tenant: string) { return echo(tenant); }

  @McpTool('body_pipes') @Post('body-pipes')
  bodyPipes(
    @Body('int', ParseIntPipe) int: number,
    @Body('float', new ParseFloatPipe({ optional: true })) float: number,
    @Body('flag', new DefaultValuePipe(false), ParseBoolPipe) flag: boolean,
    @Body('size', new ParseEnumPipe(Size, { optional: true })) size: Size,
    @Body('ids', new ParseArrayPipe({ items: Number, optional: true })) ids: number[],
  ) { return echo(int, float, flag, size, ids); }
  @McpTool('body_items') @Post('items') bodyItems(@Body(new ParseArrayPipe({ items: Item })) items: Item[]) { return echo(items); }
  @McpTool('body_declared') @Post('declared') bodyDeclared(@Body() body: Declared) { return echo(body); }
  @McpTool('body_media') @Post('media') @ApiBody(MEDIA)
  bodyMedia(@Body() body: unknown) { return echo(body); }
  @McpTool('body_zod') @Post('order') @UsePipes(new StandardSchemaValidationPipe())
  bodyZod(@Body({ schema: order }) body: object) { return echo(body); }
  @McpTool('body_change') @Patch('customers/:id') @UsePipes(checked({ whitelist: true, forbidNonWhitelisted: true }))
  bodyChange(@Param('id', ParseIntPipe) id: number, @Body() body: CustomerChange) { return echo(id, body); }
  @McpTool('all_places') @Put('all/:id') @UsePipes(checked({ transform: true }))
  allPlaces(@Param('id', ParseIntPipe) id: number, @Query() query: PageQuery, @Headers('x-trace') trace: string, @Body() body: Customer) {
    return echo(id, query, trace, body);
  }
  @McpTool('form_fields') @Post('form') @ApiConsumes('application/x-www-form-urlencoded') @UsePipes(checked())
  formFields(@Body() body: FormBody) { return echo(body); }
}

const ints = [0, 1, -1, 1.5, '7', '07', 'seven', true, 9007199254740991];

// prettier-ignore
export const ROUTE_CASES: Readonly<Record<string, RouteCase>> = {
  path_int: { valid: { path: { id: 7 } }, tries: { 'path.id': ints } },
  path_float: { valid: { path: { id: 1.5 } }, tries: { 'path.id': [1, -1.5, '1e3', 'x', '1x'] } },
  path_bool: { valid: { path: { on: true } }, tries: { 'path.on': [false, 'true', 'yes', 1] } },
  path_uuid: { valid: { path: { id: uuid } }, tries: { 'path.id': [uuid.toUpperCase(), 'x', 7] } },
  path_enum: { valid: { path: { size: 'small' } }, tries: { 'path.size': ['large', 'Small', 'other', 1] } },
  path_rank: { valid: { path: { rank: 1 } }, tries: { 'path.rank': [2, '2', 3, 'First'] } },
  path_plain: { valid: { path: { name: 'a b' } }, tries: { 'path.name': ['é/ü', 7, true, '%41'] } },
  path_class: { valid: { path: { id: uuid, version: 1 } }, tries: { 'path.id': ['x', 7], 'path.version': [0, 1, '2', 'x', 1.5] } },
  query_page: {
    valid: { query: { page: 1 } },
    tries: { 'query.page': [0, 2, '3', 'x', 1.5, MISSING], 'query.size': [1, 100, 101, '5'], 'query.sort': ['name', 'date', 'other', 1] },
  },
  query_implicit: {
    valid: { query: { level: 1 } },
    tries: { 'query.level': [9, 10, '9', 'x', MISSING], 'query.active': [true, 'false', 'x', 1], 'query.code': ['a', 'abc', 'abcd', 12, true] },
  },
  query_text: {
    valid: { query: { q: 'ab' } },
    tries: {
      'query.q': ['a', 'abc', 12, MISSING], 'query.digits': ['12', 12, 'x'], 'query.flag': ['true', true, 1, 'x'],
      'query.since': ['2026-01-31', 2026, 'soon'],
    },
  },
  query_rank: { valid: { query: { rank: 1 } }, tries: { 'query.rank': [2, '2', '02', 3, MISSING], 'query.size': ['large', 'x'] } },
  query_split: { valid: { query: { tags: 'a,b' } }, tries: { 'query.tags': ['a', 7, MISSING, ['a', 'b']], 'query.deep': [true, 'true', 'no'] } },
  query_list: { valid: { query: { names: ['a', 'b'] } }, tries: { 'query.names': [['a', 'b', 'c'], ['a', 'b', 'c', 'd'], [1, 2], 'a', MISSING] } },
  query_pipes: {
    valid: { query: { int: 1 } },
    tries: {
      'query.int': [...ints, MISSING], 'query.maybe': [2, '2', 'x'], 'query.late': [3, 'x'], 'query.flag': [true, 'false', 'x'],
      'query.at': ['2026-01-31', '2026', 0, 'soon'], 'query.ids': [[1, 2], '1,2', 7, 'x', ['1', '2']],
    },
  },
  query_plain: { valid: { query: { q: 'a', mode: 'small' } }, tries: { 'query.q': [1, true, MISSING], 'query.n': [1, 'x'], 'query.mode': ['other', MISSING] } },
  query_zod: { valid: { query: { q: 'a' } }, tries: { 'query.q': ['b', MISSING], 'query.limit': [50, 51, '5', 1.5] } },
  header_plain: { valid: { header: { 'x-tenant': 'a' } }, tries: { 'header.x-tenant': ['b', 7, true, MISSING] } },
  body_pipes: {
    valid: { body: { int: 1 } },
    tries: {
      'body.int': [...ints, MISSING, null], 'body.float': [1.5, '1.5', 'x', null], 'body.flag': [true, 'false', null, 1], 'body.size': ['large', 'x', null],
      'body.ids': [[1, '2'], '1,2', [], ['x'], null, 7],
    },
  },
  body_items: { valid: { body: [{ name: 'a' }] }, tries: { body: [[], [{ name: '' }], [{ name: 'a', count: 0 }], [{ name: 'a', count: null }], {}, [1]] } },
  body_declared: {
    valid: { body: { count: 1, size: 'small' } },
    tries: { 'body.count': [0, 'x', null, MISSING], 'body.size': ['x', null], 'body.tags': ['a', [1], null] },
  },
  body_media: { valid: { body: { a: 1 } }, tries: { 'body.a': ['x', MISSING], body: [[], {}] } },
  body_zod: {
    valid: { body: { sku: 'ab', quantity: 1, size: null } },
    tries: {
      'body.sku': ['a', 'abcd', 'abcde', 1], 'body.quantity': [0, 9, 10, 1.5, '1'], 'body.note': ['', null, MISSING], 'body.gift': [true, 'true', null],
      'body.size': ['large', 'x', MISSING],
    },
  },
  body_change: {
    valid: { path: { id: 1 }, body: { name: 'a' } },
    tries: {
      'body.name': ['abcde', 'abcdef', null, MISSING, 1], 'body.email': ['a@example.com', null, 1],
      'body.item': [{ name: 'a' }, { name: '' }, { name: 'a', count: 0 }, [{ name: 'a' }], null, 'a'], 'path.id': ['x', '2'],
    },
  },
  all_places: {
    valid: { path: { id: 1 }, query: { page: 1 }, header: { 'x-trace': 't' }, body: { name: 'a' } },
    tries: {
      'path.id': ['x', 2], 'query.size': [100, 101], 'header.x-trace': [MISSING, 5], 'body.name': ['abcdef', MISSING],
      'body.email': ['a@example.com', 5], query: [{}, MISSING], header: [MISSING],
    },
  },
  form_fields: {
    valid: { form: { name: 'ab', count: 1 } },
    tries: { 'form.name': ['a', 12, MISSING], 'form.count': [10, 11, '5', 'x', MISSING], 'form.choice': ['a', 'c'] },
  },
};
