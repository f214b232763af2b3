import 'reflect-metadata';
import { Body, Controller, Post, type Type, ValidationPipe } from '@nestjs/common';
import { ApiBody, ApiExtraModels, ApiProperty, ApiSchema, getSchemaPath } from '@nestjs/swagger';
import { IsInt, IsOptional, IsString } from 'class-validator';
import type { ControllerMethod } from '../discovery/route.js';
import { describeInput } from './describe-input.js';
import { loadOptionalPeers } from './optional-peers.js';

const optional = await loadOptionalPeers();

function bodyOf(type: unknown, pipes: readonly unknown[] = [], decorate?: MethodDecorator) {
  @Controller()
  class Things {
    @Post() handle(@Body() body: unknown) {
      return body;
    }
  }
  Reflect.defineMetadata('design:paramtypes', [type], Things.prototype, 'handle');
  const descriptor = Object.getOwnPropertyDescriptor(Things.prototype, 'handle') ?? {};
  decorate?.(Things.prototype, 'handle', descriptor);
  const controller: Type = Things;
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
  return describeInput(route, { layout: 'grouped', pipes, optional }).input.schema.properties?.body;
}

enum Size {
  Small = 1,
  Large = 2,
}

describe("swagger's word", () => {
  it('describes a member without changing what is taken', () => {
    @ApiSchema({ description: 'A person.' })
    class Person {
      @ApiProperty({
        description: 'The name.',
        title: 'Name',
        example: 'Ada',
        default: 'Bob',
        deprecated: true,
        minLength: 5,
        enum: ['Ada', 'Bob'],
        nullable: true,
      })
      @IsString()
      name!: string;
      @ApiProperty({ required: true }) @IsOptional() @IsInt() age?: number;
    }
    expect(bodyOf(Person, [new ValidationPipe()])).toEqual({
      type: 'object',
      description: 'A person.',
      properties: {
        name: {
          type: 'string',
          title: 'Name',
          description: 'The name.',
          default: 'Bob',
          deprecated: true,
          examples: ['Ada'],
        },
        age: { type: 'integer' },
      },
      required: ['name'],
    });
  });

  it('is the type of a member that nothing checks', () => {
    class Part {
      @ApiProperty({ minimum: 1, exclusiveMinimum: true }) weight!: number;
    }
    class Thing {
      @ApiProperty({ enum: Size }) size!: Size;
      @ApiProperty({ enum: Size, isArray: true }) sizes!: Size[];
      @ApiProperty({ type: [String], minItems: 1 }) tags!: string[];
      @ApiProperty({ type: () => [Part], required: false }) parts?: Part[];
      @ApiProperty({ nullable: true, maxLength: 9 }) note!: string;
      @ApiProperty() at!: Date;
      @ApiProperty({ type: 'object', additionalProperties: { type: 'number' } }) counts!: object;
    }
    expect(bodyOf(Thing)).toEqual({
      type: 'object',
      properties: {
        size: { type: 'number', enum: [1, 2] },
        sizes: { type: 'array', items: { type: 'number', enum: [1, 2] } },
        tags: { type: 'array', items: { type: 'string' }, minItems: 1 },
        parts: {
          type: 'array',
          items: {
            type: 'object',
            properties: { weight: { type: 'number', exclusiveMinimum: 1 } },
            required: ['weight'],
          },
        },
        note: { type: ['string', 'null'], maxLength: 9 },
        at: { type: 'string', format: 'date-time' },
        counts: { type: 'object', additionalProperties: { type: 'number' } },
      },
      required: ['size', 'sizes', 'tags', 'note', 'at', 'counts'],
    });
  });

  it('is nothing of a member that a whitelist takes off', () => {
    class Thing {
      @ApiProperty() unchecked!: string;
      @IsString() checked!: string;
    }
    expect(bodyOf(Thing, [new ValidationPipe({ whitelist: true })])).toEqual({
      type: 'object',
      properties: { checked: { type: 'string' } },
      required: ['checked'],
      additionalProperties: false,
    });
  });

  it('comes from the compiler plugin too', () => {
    class Thing {
      static _OPENAPI_METADATA_FACTORY(): object {
        return {
          name: { required: true, type: () => String, description: 'The name.' },
          sizes: { required: false, type: () => [Number] },
        };
      }
    }
    class Special extends Thing {
      static override _OPENAPI_METADATA_FACTORY(): object {
        return { extra: { required: true, type: () => Boolean } };
      }
    }
    expect(bodyOf(Special)).toEqual({
      type: 'object',
      properties: {
        name: { type: 'string', description: 'The name.' },
        sizes: { type: 'array', items: { type: 'number' } },
        extra: { type: 'boolean' },
      },
      required: ['name', 'extra'],
    });
  });

  it('describes a body without a class', () => {
    class Dog {
      @IsString() name!: string;
    }
    const schema = {
      oneOf: [{ $ref: getSchemaPath(Dog) }, { type: 'array', items: { type: 'string' } }],
    };
    const decorate: MethodDecorator = (target, key, descriptor) => {
      ApiExtraModels(Dog)(target, key, descriptor as never);
      ApiBody({ schema, description: 'Dogs.' })(target, key, descriptor);
    };
    expect(bodyOf(Object, [], decorate)).toEqual({
      description: 'Dogs.',
      anyOf: [
        { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
        { type: 'array', items: { type: 'string' } },
      ],
    });
  });
});
