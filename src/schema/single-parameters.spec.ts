import 'reflect-metadata';
import {
  Body,
  Controller,
  Cookies,
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
  Query,
  type Type,
  ValidationPipe,
} from '@nestjs/common';
import { ApiHeader, ApiParam, ApiQuery } from '@nestjs/swagger';
import { IsInt, IsString } from 'class-validator';
import type { ControllerMethod } from '../discovery/route.js';
import { describeInput } from './describe-input.js';
import { loadOptionalPeers } from './optional-peers.js';

const optional = await loadOptionalPeers();

function inputOf(controller: Type, path = '/', pipes: readonly unknown[] = []) {
  const handler = (controller.prototype as { handle: ControllerMethod }).handle;
  const route = {
    controller,
    methodName: 'handle',
    handler,
    httpMethod: 'GET',
    path,
    versions: [],
    hosts: [],
  };
  return describeInput(route, { layout: 'grouped', pipes, optional }).input;
}

enum Level {
  Low = 1,
  High = 2,
}

class Item {
  @IsString() name!: string;
}

describe('a single parameter', () => {
  it('takes what its pipe parses', () => {
    @Controller()
    class Things {
      @Get()
      handle(
        @Query('int', ParseIntPipe) int: number,
        @Query('float', new ParseFloatPipe()) float: number,
        @Query('bool', ParseBoolPipe) bool: boolean,
        @Query('uuid', ParseUUIDPipe) uuid: string,
        @Query('level', new ParseEnumPipe(Level)) level: Level,
        @Query('at', ParseDatePipe) at: Date,
        @Query('ids', new ParseArrayPipe({ items: Number, separator: ',' })) ids: number[],
        @Query('maybe', new ParseIntPipe({ optional: true })) maybe: number,
        @Query('page', new DefaultValuePipe(1), ParseIntPipe) page: number,
        @Query('late', ParseIntPipe, new DefaultValuePipe(1)) late: number,
      ) {
        return [int, float, bool, uuid, level, at, ids, maybe, page, late];
      }
    }
    expect(inputOf(Things).schema.properties?.query).toEqual({
      type: 'object',
      properties: {
        int: { type: 'integer' },
        float: { type: 'number' },
        bool: { type: 'boolean' },
        uuid: { type: 'string', format: 'uuid' },
        level: { type: 'integer', enum: [1, 2] },
        at: { type: 'string', format: 'date-time' },
        ids: { type: 'array', items: { type: 'number' } },
        maybe: { type: 'integer' },
        page: { type: 'integer', default: 1 },
        late: { type: 'integer', default: 1 },
      },
      required: ['int', 'float', 'bool', 'uuid', 'level', 'at', 'ids', 'late'],
      additionalProperties: false,
    });
  });

  it('takes text for a number in a JSON body too, and null where a pipe fills it', () => {
    @Controller()
    class Things {
      @Get()
      handle(
        @Body('count', ParseIntPipe) count: number,
        @Body('flag', new DefaultValuePipe(false), ParseBoolPipe) flag: boolean,
        @Body('items', new ParseArrayPipe({ items: Item, whitelist: true })) items: Item[],
      ) {
        return [count, flag, items];
      }
    }
    expect(inputOf(Things).schema.properties?.body).toMatchObject({
      properties: {
        count: { type: 'integer' },
        flag: { type: 'boolean', default: false },
        items: {
          type: 'array',
          items: { type: 'object', required: ['name'], additionalProperties: false },
        },
      },
      required: ['count', 'items'],
      additionalProperties: false,
    });
    expect(inputOf(Things).check?.properties?.body).toMatchObject({
      properties: {
        count: { type: ['integer', 'string'], pattern: '^-?\\d+$' },
        flag: { enum: [true, false, 'true', 'false', null] },
        items: {
          type: ['array', 'string'],
          items: { type: ['object', 'string'], required: ['name'], additionalProperties: false },
        },
      },
      required: ['count', 'items'],
      additionalProperties: false,
    });
  });

  it('is optional in a query without a pipe, and has the type that its handler declares', () => {
    @Controller()
    class Things {
      @Get() handle(@Query('q') q: string, @Query('n') n: number, @Query('tags') tags: string[]) {
        return [q, n, tags];
      }
    }
    const query = inputOf(Things, '/', [new ValidationPipe({ transform: true })]).schema.properties
      ?.query;
    expect(query).toEqual({
      type: 'object',
      properties: {
        q: { type: 'string' },
        n: { type: 'number' },
        tags: { type: 'array', items: { type: 'string' } },
      },
      additionalProperties: false,
    });
  });

  it('is anything where a pipe of the application reads it', () => {
    class Split {
      transform(value: string) {
        return value.split(',');
      }
    }
    @Controller()
    class Things {
      @Get(':id') handle(@Query('ids', Split) ids: number, @Param('id', new Split()) id: number) {
        return [ids, id];
      }
    }
    expect(inputOf(Things, '/:id').schema.properties).toMatchObject({
      query: { properties: { ids: {} } },
      path: { properties: { id: { type: 'string' } } },
    });
  });

  it('is required in the path, whether or not a decorator reads it', () => {
    @Controller()
    class Things {
      @Get() handle(@Param('id', ParseIntPipe) id: number, @Param('absent') absent: string) {
        return [id, absent];
      }
    }
    expect(inputOf(Things, '/:tenant/:id{/:view}').parameters).toEqual([
      { place: 'path', name: 'tenant', schema: { type: 'string' }, required: true },
      { place: 'path', name: 'id', schema: { type: 'integer' }, required: true },
      { place: 'path', name: 'view', schema: { type: 'string' }, required: false },
    ]);
  });

  it('may stand beside a whole object', () => {
    class Filter {
      @IsInt() size!: number;
    }
    @Controller()
    class Things {
      @Get() handle(
        @Query() filter: Filter,
        @Query('q') q: string,
        @Query() all: Record<string, string>,
      ) {
        return [filter, q, all];
      }
    }
    expect(inputOf(Things).schema.properties?.query).toEqual({
      type: 'object',
      properties: { size: { type: 'integer' }, q: { type: 'string' } },
      required: ['size'],
    });
  });

  it('may be a header or a cookie', () => {
    @Controller()
    class Things {
      @Get() handle(@Headers('X-Tenant') tenant: string, @Cookies('theme') theme: string) {
        return [tenant, theme];
      }
    }
    expect(inputOf(Things).parameters).toEqual([
      { place: 'header', name: 'x-tenant', schema: { type: 'string' }, required: false },
      { place: 'cookie', name: 'theme', schema: { type: 'string' }, required: false },
    ]);
  });

  it('is described by swagger, and typed by it where nothing checks it', () => {
    @Controller()
    class Things {
      @Get(':id')
      @ApiParam({ name: 'id', description: 'The id.', type: Number })
      @ApiQuery({ name: 'page', description: 'From 1.', type: String })
      @ApiQuery({ name: 'sort', enum: ['up', 'down'], required: false })
      @ApiHeader({ name: 'X-Tenant', description: 'Whose.', required: true })
      @ApiHeader({ name: 'Authorization' })
      handle(@Param('id') id: string, @Query('page', ParseIntPipe) page: number) {
        return [id, page];
      }
    }
    expect(inputOf(Things, '/:id').schema.properties).toEqual({
      path: {
        type: 'object',
        properties: { id: { type: 'number', description: 'The id.' } },
        required: ['id'],
        additionalProperties: false,
      },
      query: {
        type: 'object',
        properties: {
          page: { type: 'integer', description: 'From 1.' },
          sort: { type: 'string', enum: ['up', 'down'] },
        },
        required: ['page'],
        additionalProperties: false,
      },
      header: {
        type: 'object',
        properties: { 'x-tenant': { type: 'string', description: 'Whose.' } },
        required: ['x-tenant'],
        additionalProperties: false,
      },
    });
  });
});
