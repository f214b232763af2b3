import 'reflect-metadata';
import {
  Body,
  Controller,
  createParamDecorator,
  Get,
  Param,
  Patch,
  Post,
  Put,
  Query,
  Req,
  type Type,
  UploadedFile,
  UseInterceptors,
  ValidationPipe,
} from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiProperty,
  OmitType,
  PartialType,
  PickType,
} from '@nestjs/swagger';
import { Type as TypeOf } from 'class-transformer';
import {
  IsArray,
  IsEnum,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  Min,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { z } from 'zod';
import type { ControllerMethod } from '../discovery/route.js';
import { describeInput, type InputContext } from './describe-input.js';
import { loadOptionalPeers } from './optional-peers.js';

const optional = await loadOptionalPeers();
const CHECKED = [new ValidationPipe({ whitelist: true })];

/** Describes the method `handle` of a controller. */
function inputOf(controller: Type, path = '/', context: Partial<InputContext> = {}) {
  const handler = (controller.prototype as { handle: ControllerMethod }).handle;
  const route = {
    controller,
    methodName: 'handle',
    handler,
    httpMethod: 'POST',
    path,
    versions: [],
    hosts: [],
  };
  return describeInput(route, { layout: 'grouped', pipes: CHECKED, optional, ...context });
}
const bodyOf = (controller: Type, context: Partial<InputContext> = {}) =>
  inputOf(controller, '/', context).input.schema.properties?.body;

enum Level {
  Low = 1,
  High = 2,
}
enum Colour {
  Red = 'red',
  Blue = 'blue',
}

class Person {
  @IsString() name!: string;
  @IsInt() age!: number;
}

describe('the input of a route', () => {
  it('has the members that validators alone name (S1)', () => {
    @Controller()
    class People {
      @Post() handle(@Body() person: Person) {
        return person;
      }
    }
    const schema = {
      type: 'object',
      properties: {
        body: {
          type: 'object',
          properties: { name: { type: 'string' }, age: { type: 'integer' } },
          required: ['name', 'age'],
          additionalProperties: false,
        },
      },
      required: ['body'],
      additionalProperties: false,
    };
    expect(inputOf(People).input).toEqual({
      layout: 'grouped',
      schema,
      check: schema,
      parameters: [],
      body: { mediaType: 'application/json', required: true },
    });
  });

  it('stays open where an unknown member reaches the handler', () => {
    @Controller()
    class People {
      @Post() handle(@Body() person: Person) {
        return person;
      }
    }
    expect(bodyOf(People, { pipes: [new ValidationPipe()] })).not.toHaveProperty(
      'additionalProperties',
    );
    expect(bodyOf(People, { pipes: [] })).not.toHaveProperty('additionalProperties');
  });

  it('keeps a path parameter and a body member of one name apart (S2)', () => {
    class Face {
      @IsString() id!: string;
    }
    @Controller()
    class Faces {
      @Put(':id') handle(@Param('id') id: string, @Body() face: Face) {
        return [id, face];
      }
    }
    expect(inputOf(Faces, '/faces/:id').input.schema.properties).toMatchObject({
      path: { properties: { id: { type: 'string' } }, required: ['id'] },
      body: { properties: { id: { type: 'string' } }, required: ['id'] },
    });
    expect(inputOf(Faces, '/faces/:id', { layout: 'flat' }).problems).toEqual([
      expect.stringContaining('"id" is in the path and in the body'),
    ]);
  });

  it.each([
    ['a list', Array, { type: 'array' }],
    ['a string', String, { type: 'string' }],
    ['a free-form object', Object, { type: 'object' }],
  ])('takes a body that is %s (S3)', (_name, type, schema) => {
    @Controller()
    class Things {
      @Post() handle(@Body() body: unknown) {
        return body;
      }
    }
    Reflect.defineMetadata('design:paramtypes', [type], Things.prototype, 'handle');
    expect(bodyOf(Things)).toEqual(schema);
    expect(inputOf(Things, '/', { layout: 'flat' }).problems).toEqual([
      expect.stringContaining("use arguments: 'grouped'"),
    ]);
  });

  it('describes the items of a list that swagger names', () => {
    @Controller()
    class Things {
      @Post() @ApiBody({ type: [Person] }) handle(@Body() body: Person[]) {
        return body;
      }
    }
    expect(bodyOf(Things)).toMatchObject({ type: 'array', items: { required: ['name', 'age'] } });
  });

  it('writes a class that contains itself once, and any other in its place (S4)', () => {
    class Author {
      @IsString() name!: string;
    }
    class Comment {
      @IsObject() @ValidateNested() @TypeOf(() => Author) author!: Author;
      @IsOptional() @ValidateNested() @TypeOf(() => Comment) parent?: Comment;
    }
    class Note {
      @IsArray() @ValidateNested({ each: true }) @TypeOf(() => Comment) comments!: Comment[];
    }
    @Controller()
    class Notes {
      @Post() handle(@Body() note: Note) {
        return note;
      }
    }
    const { schema } = inputOf(Notes).input;
    expect(Object.keys(schema.$defs ?? {})).toEqual(['Comment']);
    expect(schema.$defs?.Comment).toMatchObject({
      properties: {
        author: { type: 'object', properties: { name: { type: 'string' } } },
        parent: { $ref: '#/$defs/Comment' },
      },
      required: ['author'],
    });
    expect(inputOf(Notes).input.check?.$defs?.Comment).toMatchObject({
      properties: {
        parent: { anyOf: [{ $ref: '#/$defs/Comment' }, { type: 'array' }, { type: 'null' }] },
      },
    });
    expect(schema.properties?.body).not.toHaveProperty('$defs');
  });

  it('lists its definitions at the root in the flat layout too', () => {
    class Node {
      @IsString() name!: string;
      @IsOptional() @ValidateNested() @TypeOf(() => Node) next?: Node;
    }
    @Controller()
    class Nodes {
      @Post() handle(@Body() node: Node) {
        return node;
      }
    }
    expect(inputOf(Nodes, '/', { layout: 'flat' }).input.schema).toMatchObject({
      properties: { name: { type: 'string' }, next: {} },
      required: ['name'],
      additionalProperties: false,
      $defs: { Node: {} },
    });
  });

  it('is an empty closed object where there are no parameters (S5)', () => {
    @Controller()
    class Things {
      @Get() handle() {}
    }
    const empty = { type: 'object', properties: {}, additionalProperties: false };
    expect(inputOf(Things).input.schema).toEqual(empty);
    expect(inputOf(Things, '/', { layout: 'flat' }).input.schema).toEqual(empty);
  });

  it('takes null where the pipe does, shows it where it means something, and invents no type (S7)', () => {
    class Dto {
      @IsOptional() @IsString() name?: string;
      @IsOptional() anything?: unknown;
      @IsOptional() @IsEnum(Colour) colour?: Colour;
      @ApiProperty({ nullable: true }) @IsString() strict!: string;
      @ApiProperty({ nullable: true }) @IsOptional() @IsString() cleared?: string;
      @ValidateIf((_, value) => value !== null) @IsString() unset!: string | null;
    }
    @Controller()
    class Things {
      @Post() handle(@Body() body: Dto) {
        return body;
      }
    }
    expect(bodyOf(Things)).toMatchObject({
      properties: {
        name: { type: 'string' },
        anything: {},
        colour: { type: 'string', enum: ['red', 'blue'] },
        strict: { type: 'string' },
        cleared: { type: ['string', 'null'] },
        unset: { type: ['string', 'null'] },
      },
      required: ['strict', 'unset'],
    });
    expect(inputOf(Things).input.check?.properties?.body).toMatchObject({
      properties: {
        name: { type: ['string', 'null'] },
        anything: {},
        colour: { type: ['string', 'null'], enum: ['red', 'blue', null] },
        strict: { type: 'string' },
        cleared: { type: ['string', 'null'] },
        unset: { type: ['string', 'null'] },
      },
    });
  });

  it('gives the values of enums (S8)', () => {
    class Dto {
      @IsEnum(Level) level!: Level;
      @IsEnum(Colour) colour!: Colour;
      @IsArray() @IsEnum(Level, { each: true }) levels!: Level[];
      @IsIn(['a', 2]) choice!: string | number;
    }
    @Controller()
    class Things {
      @Post() handle(@Body() body: Dto) {
        return body;
      }
    }
    expect(bodyOf(Things)).toMatchObject({
      properties: {
        level: { type: 'integer', enum: [1, 2] },
        colour: { type: 'string', enum: ['red', 'blue'] },
        levels: { type: 'array', items: { type: 'integer', enum: [1, 2] } },
        choice: { enum: ['a', 2] },
      },
    });
  });

  it('is an integer where a query is converted to one (S9)', () => {
    class Page {
      @IsOptional() @TypeOf(() => Number) @IsInt() @Min(1) page?: number;
      @IsInt() unconverted!: number;
    }
    @Controller()
    class Things {
      @Get() handle(@Query() page: Page) {
        return page;
      }
    }
    expect(inputOf(Things).input.schema.properties?.query).toEqual({
      type: 'object',
      properties: { page: { type: 'integer', minimum: 1 }, unconverted: { type: 'integer' } },
      required: ['unconverted'],
      additionalProperties: false,
    });
    class Implicit {
      @IsNumber() size!: number;
    }
    @Controller()
    class Others {
      @Get() handle(@Query() page: Implicit) {
        return page;
      }
    }
    const pipes = [
      new ValidationPipe({ transform: true, transformOptions: { enableImplicitConversion: true } }),
    ];
    expect(inputOf(Others, '/', { pipes }).input.schema.properties?.query).toMatchObject({
      properties: { size: { type: 'number' } },
    });
  });

  it('tells classes of one name apart (S11)', () => {
    const first = (() => {
      class Item {
        @IsOptional() @ValidateNested() @TypeOf(() => Item) child?: Item;
      }
      return Item;
    })();
    const second = (() => {
      class Item {
        @IsOptional() @ValidateNested() @TypeOf(() => Item) parent?: Item;
      }
      return Item;
    })();
    class Both {
      @IsObject() @ValidateNested() @TypeOf(() => first) one!: object;
      @IsObject() @ValidateNested() @TypeOf(() => second) other!: object;
    }
    @Controller()
    class Things {
      @Post() handle(@Body() body: Both) {
        return body;
      }
    }
    const { schema } = inputOf(Things).input;
    expect(schema.$defs).toMatchObject({
      Item: { properties: { child: {} } },
      Item2: { properties: { parent: {} } },
    });
  });

  it('leaves readOnly members out (S12)', () => {
    class Dto {
      @ApiProperty({ readOnly: true }) @IsOptional() @IsInt() id?: number;
      @ApiProperty({ writeOnly: true }) @IsString() password!: string;
    }
    @Controller()
    class Things {
      @Post() handle(@Body() body: Dto) {
        return body;
      }
    }
    expect(bodyOf(Things)).toMatchObject({
      properties: { password: { type: 'string' } },
      required: ['password'],
    });
    expect(bodyOf(Things)).not.toHaveProperty('properties.id');
  });

  it('sees mapped types and inheritance as ValidationPipe does (S14)', () => {
    class Employee extends PartialType(Person) {
      @IsString() company!: string;
    }
    class Picked extends PickType(Person, ['name'] as const) {}
    class Omitted extends OmitType(Person, ['name'] as const) {}
    class Manager extends Employee {
      @IsInt() reports!: number;
    }
    const described = [Employee, Picked, Omitted, Manager].map((dto) => {
      @Controller()
      class Things {
        @Patch() handle(@Body() body: object) {
          return body;
        }
      }
      Reflect.defineMetadata('design:paramtypes', [dto], Things.prototype, 'handle');
      const { properties, required } = bodyOf(Things) as { properties: object; required: string[] };
      return [Object.keys(properties).sort(), required];
    });
    expect(described).toEqual([
      [['age', 'company', 'name'], ['company']],
      [['name'], ['name']],
      [['age'], ['age']],
      [
        ['age', 'company', 'name', 'reports'],
        ['reports', 'company'],
      ],
    ]);
  });

  it('takes a Standard Schema at its word', () => {
    const schema = z.object({ name: z.string().min(2), level: z.int().default(1) });
    @Controller()
    class Things {
      @Post() handle(@Body({ schema }) body: Person) {
        return body;
      }
    }
    expect(bodyOf(Things)).toMatchObject({
      properties: {
        name: { type: 'string', minLength: 2 },
        level: { type: 'integer', default: 1 },
      },
      required: ['name'],
    });
    expect(inputOf(Things).input.body?.required).toBe(true);
  });

  it('moves the definitions of a Standard Schema to the root', () => {
    interface Tree {
      children: Tree[];
    }
    const schema: z.ZodType<Tree> = z.lazy(() => z.object({ children: z.array(schema) }));
    @Controller()
    class Things {
      @Post() handle(@Body({ schema: z.object({ tree: schema }) }) body: object) {
        return body;
      }
    }
    const { $defs = {}, properties } = inputOf(Things).input.schema;
    const [name] = Object.keys($defs);
    expect(JSON.stringify(properties)).toContain(`"$ref":"#/$defs/${String(name)}"`);
    expect(JSON.stringify($defs)).toContain(`"$ref":"#/$defs/${String(name)}"`);
  });

  it('warns of a Standard Schema without a JSON Schema', () => {
    const schema = {
      '~standard': { version: 1, vendor: 'x', validate: (value: unknown) => ({ value }) },
    } as const;
    @Controller()
    class Things {
      @Post() handle(@Body({ schema }) body: object) {
        return body;
      }
    }
    expect(bodyOf(Things)).toEqual({});
    expect(inputOf(Things).warnings).toEqual([
      expect.stringMatching(/^parameter 0 has a Standard Schema that gives no JSON Schema/),
    ]);
  });

  it('tells of parameters that tell nothing, unless the input is declared', () => {
    const silent = () => undefined;
    const Silent = createParamDecorator(silent);
    const User = createParamDecorator(() => undefined);
    @Controller()
    class Things {
      @Get() handle(@Req() request: object, @User() user: object, @Silent() call: object) {
        return [request, user, call];
      }
    }
    const context = { silentFactories: new Set([silent]) };
    expect(inputOf(Things, '/', context).unknown).toEqual(['request', 'custom']);
    const input = {
      type: 'object',
      properties: { query: { type: 'object', properties: { q: {} }, required: ['q'] } },
    };
    const described = inputOf(Things, '/', { ...context, input });
    expect(described.unknown).toEqual([]);
    expect(described.input.schema).toBe(input);
    expect(described.input.parameters).toEqual([
      { place: 'query', name: 'q', schema: {}, required: true },
    ]);
  });

  it('writes forms where the route consumes them', () => {
    @Controller()
    class Things {
      @Post() @ApiConsumes('application/x-www-form-urlencoded') handle(@Body() body: Person) {
        return body;
      }
    }
    expect(inputOf(Things).input).toMatchObject({
      schema: { properties: { form: { required: ['name', 'age'] } }, required: ['form'] },
      body: { mediaType: 'application/x-www-form-urlencoded', required: true },
    });
  });

  it('has problems with what a call cannot write', () => {
    @Controller()
    class Files {
      @Post() @UseInterceptors() handle(@UploadedFile() file: object) {
        return file;
      }
    }
    @Controller()
    class Documents {
      @Post() @ApiConsumes('application/xml') handle(@Body() body: Person) {
        return body;
      }
    }
    expect(inputOf(Files).problems).toEqual([
      expect.stringContaining('nothing says in which field of the form'),
    ]);
    expect(inputOf(Documents).problems).toEqual([expect.stringContaining('application/xml')]);
  });
});
