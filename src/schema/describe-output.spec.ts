import 'reflect-metadata';
import {
  Controller,
  Delete,
  Get,
  HttpCode,
  Post,
  SerializeOptions,
  type Type,
} from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiExtraModels,
  ApiNoContentResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiProduces,
  ApiProperty,
  ApiResponse,
  getSchemaPath,
} from '@nestjs/swagger';
import { Exclude, Expose, Transform } from 'class-transformer';
import { IsString } from 'class-validator';
import { z } from 'zod';
import type { ControllerMethod } from '../discovery/route.js';
import { describeOutput, type OutputContext } from './describe-output.js';
import { loadOptionalPeers } from './optional-peers.js';

const optional = await loadOptionalPeers();

function outputOf(controller: Type, httpMethod = 'GET', context: Partial<OutputContext> = {}) {
  const handler = (controller.prototype as { handle: ControllerMethod }).handle;
  const route = {
    controller,
    methodName: 'handle',
    handler,
    httpMethod,
    path: '/',
    versions: [],
    hosts: [],
  };
  return describeOutput(route, { optional, ...context }).schema;
}

class Cat {
  @ApiProperty() id!: number;
  @ApiProperty({ required: false, nullable: true }) name?: string;
  @ApiProperty({ type: () => [Cat] }) kittens!: Cat[];
}
class Account {
  @ApiProperty() name!: string;
  @ApiProperty({ writeOnly: true }) password!: string;
  @ApiProperty() @Exclude() hash!: string;
  @ApiProperty() @Expose({ name: 'created_at' }) createdAt!: Date;
  @ApiProperty() @Transform(({ value }: { value: unknown }) => String(value)) balance!: number;
}
class Page {
  @ApiProperty() total!: number;
}
class Checked {
  @IsString() name!: string;
}

describe('the output of a route', () => {
  it('is the declared response of its status, open, with its definitions (S4)', () => {
    @Controller()
    class Cats {
      @Post() @ApiCreatedResponse({ type: Cat }) @ApiNotFoundResponse({ type: Page }) handle() {}
    }
    expect(outputOf(Cats, 'POST')).toEqual({
      type: 'object',
      $ref: '#/$defs/Cat',
      $defs: {
        Cat: {
          type: 'object',
          properties: {
            id: { type: 'number' },
            name: { type: ['string', 'null'] },
            kittens: { type: 'array', items: { $ref: '#/$defs/Cat' } },
          },
          required: ['id', 'kittens'],
        },
      },
    });
  });

  it('may be a list', () => {
    @Controller()
    class Pages {
      @Get() @ApiOkResponse({ type: [Page] }) handle() {}
    }
    expect(outputOf(Pages)).toEqual({
      type: 'array',
      items: { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] },
    });
  });

  it('leaves out what the answer does not hold (S12)', () => {
    @Controller()
    class Accounts {
      @Get() @ApiOkResponse({ type: Account }) handle() {}
    }
    expect(outputOf(Accounts)).toEqual({
      type: 'object',
      properties: {
        name: { type: 'string' },
        created_at: { type: 'string', format: 'date-time' },
        balance: {},
      },
      required: ['name', 'balance'],
    });
  });

  it('resolves generics by their schema path', () => {
    @Controller()
    @ApiExtraModels(Page, Checked)
    class Pages {
      @Get()
      @ApiOkResponse({
        schema: {
          allOf: [
            { $ref: getSchemaPath(Page) },
            { properties: { items: { type: 'array', items: { $ref: getSchemaPath(Checked) } } } },
          ],
        },
      })
      handle() {}
    }
    expect(outputOf(Pages)).toEqual({
      allOf: [
        { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] },
        {
          properties: {
            items: {
              type: 'array',
              items: { type: 'object', properties: { name: { type: ['string', 'null'] } } },
            },
          },
        },
      ],
    });
  });

  it('is any of several', () => {
    @Controller()
    class Things {
      @Get() @ApiOkResponse({ type: Page }) @ApiResponse({ status: 202, type: Checked }) handle() {}
    }
    expect(outputOf(Things)).toMatchObject({
      anyOf: [{ required: ['total'] }, { properties: { name: {} } }],
    });
  });

  it('is what a Standard Schema serializes', () => {
    @Controller()
    class Things {
      @Get() @SerializeOptions({ schema: z.object({ id: z.int() }) }) handle() {}
    }
    const one = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] };
    expect(outputOf(Things)).toMatchObject({ anyOf: [one, { type: 'array', items: one }] });
    expect(outputOf(Things)).not.toHaveProperty('anyOf.0.additionalProperties');
  });

  it('is what the author wrote', () => {
    @Controller()
    class Things {
      @Get() @ApiOkResponse({ type: Page }) handle() {}
    }
    const output = { type: 'object' };
    expect(outputOf(Things, 'GET', { output })).toBe(output);
  });

  it('is not declared where nothing says so, or the answer is no JSON', () => {
    @Controller()
    class Undeclared {
      @Get() handle(): Page {
        return { total: 1 };
      }
    }
    @Controller()
    class Empty {
      @Delete() @HttpCode(204) @ApiNoContentResponse() handle() {}
    }
    @Controller()
    class Text {
      @Get() @ApiOkResponse({ type: String }) handle() {}
    }
    @Controller()
    class Image {
      @Get()
      @ApiProduces('image/png')
      @ApiOkResponse({ schema: { type: 'string', format: 'binary' } })
      handle() {}
    }
    expect([Undeclared, Empty, Text, Image].map((controller) => outputOf(controller))).toEqual(
      Array(4).fill(undefined),
    );
  });
});
