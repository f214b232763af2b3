import 'reflect-metadata';
import {
  Body,
  Controller,
  ParseEnumPipe,
  ParseIntPipe,
  Post,
  type Type,
  ValidationPipe,
} from '@nestjs/common';
import { ApiBody, ApiProperty } from '@nestjs/swagger';
import { IsInt, IsOptional, IsString } from 'class-validator';
import type { ControllerMethod } from '../discovery/route.js';
import { describeInput } from './describe-input.js';
import type { JsonSchemaObject } from './json-schema.js';
import { loadOptionalPeers } from './optional-peers.js';

const optional = await loadOptionalPeers();

/** The body that a controller's method `handle` is shown with. */
function bodyOf(controller: Type): JsonSchemaObject {
  const handler = (controller.prototype as { handle: ControllerMethod }).handle;
  const route = {
    controller,
    methodName: 'handle',
    handler,
    httpMethod: 'POST',
    path: '/',
    versions: [],
    hosts: [],
  };
  const { input, problems } = describeInput(route, { layout: 'grouped', pipes: [], optional });
  expect(problems).toEqual([]);
  return input.schema.properties?.['body'] as JsonSchemaObject;
}

const PIPE = new ValidationPipe({ whitelist: true });
class TextDto {
  @IsString() n!: string;
}
class OtherDto {
  @IsOptional() @IsInt() m?: number;
}
class DeclaredDto {
  @ApiProperty({ description: 'How many.' }) n!: string;
}

describe('a member of the body that several parameters read', () => {
  it('is of the type that a pipe checks, not of the one that TypeScript tells', () => {
    @Controller()
    class Things {
      @Post() handle(@Body('n') text: string, @Body('n', ParseIntPipe) count: number) {
        return [text, count];
      }
    }
    expect(bodyOf(Things).properties).toEqual({ n: { type: 'integer' } });
  });

  it('nor of the one that a class or @ApiBody() declares, whose description stays', () => {
    @Controller()
    class Classes {
      @Post() handle(@Body() whole: DeclaredDto, @Body('n', ParseIntPipe) count: number) {
        return [whole, count];
      }
    }
    expect(bodyOf(Classes).properties).toEqual({
      n: { type: 'integer', description: 'How many.' },
    });
    @Controller()
    class Declared {
      @ApiBody({ schema: { type: 'object', properties: { n: { type: 'boolean' } } } })
      @Post()
      handle(@Body('n', ParseIntPipe) count: number) {
        return count;
      }
    }
    expect(bodyOf(Declared).properties).toEqual({ n: { type: 'integer' } });
  });

  it('is shown in the one spelling that all of them take', () => {
    @Controller()
    class Things {
      @Post() handle(
        @Body(PIPE) whole: TextDto,
        @Body('n', ParseIntPipe) count: number,
        @Body('five', ParseIntPipe) five: number,
        @Body('five', new ParseEnumPipe({ Five: '5', Six: 'six' })) choice: string,
      ) {
        return [whole, count, five, choice];
      }
    }
    expect(bodyOf(Things).properties).toMatchObject({
      n: { type: 'string', pattern: '^-?\\d+$' },
      five: { type: 'string', pattern: '^-?\\d+$' },
    });
  });

  it('and the members of two classes stand side by side', () => {
    @Controller()
    class Things {
      @Post() handle(@Body(PIPE) one: TextDto, @Body(PIPE) other: OtherDto) {
        return [one, other];
      }
    }
    expect(bodyOf(Things)).toEqual({
      type: 'object',
      properties: { n: { type: 'string' }, m: { type: 'integer' } },
      required: ['n'],
      additionalProperties: false,
    });
    @Controller()
    class Open {
      @Post() handle(@Body() one: TextDto, @Body(PIPE) other: OtherDto) {
        return [one, other];
      }
    }
    expect(bodyOf(Open)).not.toHaveProperty('additionalProperties');
  });
});
