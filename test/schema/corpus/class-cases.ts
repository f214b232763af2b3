/** @file Classes with every decorator that says something of a value, and a value that each member takes. */
import 'reflect-metadata';
import type { ValidationPipeOptions } from '@nestjs/common';
import { ApiProperty, IntersectionType, OmitType, PartialType, PickType } from '@nestjs/swagger';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import * as v from 'class-validator';

export type Dto = new () => object;

export interface ClassCase {
  readonly dto: Dto;
  readonly valid: Readonly<Record<string, unknown>>;
  /** Further values to try in every member. */
  readonly values?: readonly unknown[];
  readonly options?: ValidationPipeOptions;
  /** Members that the pipe takes off unread, which a closed schema refuses. */
  readonly ignored?: readonly string[];
}

enum Colour {
  Red = 'red',
  Blue = 'blue',
}
enum Level {
  Low = 1,
  High = 2,
}

class Text {
  @v.IsString() name!: string;
  @v.MinLength(2) @v.MaxLength(4) code!: string;
  @v.Length(3, 5) tag!: string;
  @v.Matches('^[a-z]\\-\\d+$') ref!: string;
  @v.Matches(/^abc$/i) loose!: string;
  @v.Contains('a.b') part!: string;
  @v.NotContains('x') rest!: string;
  @v.IsByteLength(2, 6) bytes!: string;
}
class Formats {
  @v.IsEmail() email!: string;
  @v.IsUrl() url!: string;
  @v.IsUUID() uuid!: string;
  @v.IsDateString() date!: string;
  @v.IsMongoId() id!: string;
  @v.IsHexColor() colour!: string;
  @v.IsPort() port!: string;
  @v.IsSemVer() version!: string;
  @v.IsMilitaryTime() time!: string;
  @v.IsNumberString() digits!: string;
  @v.IsBooleanString() flag!: string;
  @v.IsAlpha() letters!: string;
  @v.IsAlphanumeric() word!: string;
  @v.IsJSON() json!: string;
  @v.IsLatitude() lat!: number;
}
class Codes {
  @v.IsISO31661Alpha2() country!: string;
  @v.IsISO4217CurrencyCode() currency!: string;
  @v.IsISO6391() language!: string;
  @v.IsIP() ip!: string;
  @v.IsIP('4') ip4!: string;
  @v.IsFQDN() host!: string;
  @v.IsBase64() base!: string;
  @v.IsJWT() jwt!: string;
  @v.IsHash('md5') hash!: string;
  @v.IsUppercase() upper!: string;
  @v.IsLowercase() lower!: string;
  @v.IsAscii() ascii!: string;
  @v.IsHexadecimal() hex!: string;
  @v.IsTimeZone() zone!: string;
  @v.IsRFC3339() at!: string;
  @v.IsStrongPassword() secret!: string;
}
class Numbers {
  @v.IsNumber() any!: number;
  @v.IsInt() whole!: number;
  @v.Min(1) @v.Max(3) bounded!: number;
  @v.IsPositive() positive!: number;
  @v.IsNegative() negative!: number;
  @v.IsDivisibleBy(3) threes!: number;
  @v.IsNumber({ maxDecimalPlaces: 0 }) none!: number;
  @v.IsNumber({ maxDecimalPlaces: 2 }) cents!: number;
}
class Choices {
  @v.IsEnum(Colour) colour!: Colour;
  @v.IsEnum(Level) level!: Level;
  @v.IsIn(['a', 1, null]) mixed!: unknown;
  @v.IsNotIn(['a', 1]) other!: unknown;
  @v.Equals(5) five!: number;
  @v.NotEquals(5) notFive!: unknown;
  @v.IsBoolean() flag!: boolean;
  @v.IsEnum(Colour, { each: true }) colours!: Colour[];
}
class Presence {
  @v.IsOptional() @v.IsString() optional?: string;
  @v.IsDefined() defined!: unknown;
  @v.IsNotEmpty() filled!: unknown;
  @v.IsEmpty() empty?: unknown;
  @v.Allow() allowed?: unknown;
  @v.IsNotEmpty() @v.IsString() text!: string;
  @v.IsOptional() @v.IsEnum(Level) level?: Level;
  @v.ValidateIf((o: Presence) => o.text === 'check') @v.IsInt() conditional?: number;
  @v.ValidateIf((_, value) => value !== undefined) @v.IsInt() unlessMissing?: number;
  @v.ValidateIf((_, value) => value !== null) @v.IsInt() unlessNull!: number | null;
}
class Lists {
  @v.IsArray() list!: unknown[];
  @v.IsArray() @v.IsString({ each: true }) strings!: string[];
  @v.IsInt({ each: true }) numbers!: number[];
  @v.ArrayMinSize(1) @v.ArrayMaxSize(2) sized!: unknown[];
  @v.ArrayNotEmpty() filled!: unknown[];
  @v.ArrayUnique() unique!: unknown[];
  @v.ArrayUnique() @v.IsInt({ each: true }) uniqueInts!: number[];
  @v.ArrayContains(['a']) containing!: unknown[];
  @v.ArrayNotContains(['a']) lacking!: unknown[];
  @v.IsArray() @v.MinLength(2, { each: true }) words!: string[];
  @v.IsIn(['a', 'b'], { each: true }) picks!: string[];
}
class Objects {
  @v.IsObject() object!: object;
  @v.IsNotEmptyObject() filled!: object;
  @v.IsNotEmptyObject({ nullable: false }) solid!: object;
}
class Point {
  @v.IsInt() x!: number;
  @v.IsOptional() @v.IsInt() y?: number;
}
class Nested {
  @v.ValidateNested() @Type(() => Point) point!: Point;
  @v.IsDefined() @v.ValidateNested() @Type(() => Point) needed!: Point;
  @v.IsObject() @v.ValidateNested() @Type(() => Point) object!: Point;
  @v.ValidateNested({ each: true }) @Type(() => Point) points!: Point[];
  @v.IsArray() @v.ValidateNested({ each: true }) @Type(() => Point) list!: Point[];
  @v.IsOptional() @v.ValidateNested() @Type(() => Point) maybe?: Point;
  @v.ValidateNested() untyped!: Point;
}
class Maps {
  @v.ValidateNested() @Type(() => Point) points!: Map<string, Point>;
}
class Tree {
  @v.IsString() name!: string;
  @v.IsOptional() @v.ValidateNested() @Type(() => Tree) parent?: Tree;
  @v.IsArray() @v.ValidateNested({ each: true }) @Type(() => Tree) children!: Tree[];
}
abstract class Pet {
  @v.IsString() name!: string;
}
class Dog extends Pet {
  @v.IsInt() bones!: number;
}
class Cat extends Pet {
  @v.IsBoolean() purrs!: boolean;
}
const discriminator = {
  property: 'kind',
  subTypes: [
    { name: 'dog', value: Dog },
    { name: 'cat', value: Cat },
  ],
};
class Owner {
  @v.ValidateNested() @Type(() => Pet, { discriminator }) pet!: Dog | Cat;
  @v.IsArray()
  @v.ValidateNested({ each: true })
  @Type(() => Pet, { discriminator, keepDiscriminatorProperty: true })
  pets!: (Dog | Cat)[];
}
class Converted {
  @Type(() => Number) @v.IsInt() @v.Min(1) whole!: number;
  @Type(() => Number) @v.IsIn([1, 2]) choice!: number;
  @Type(() => String) @v.MinLength(2) text!: string;
  @Type(() => Boolean) @v.IsBoolean() flag!: boolean;
  @Type(() => Date) @v.IsDate() at!: Date;
  @Type(() => Number) @v.IsInt({ each: true }) numbers!: number[];
  @v.IsArray() @Type(() => Date) @v.ArrayUnique() dates!: Date[];
  @Type(() => Number) @v.IsNotEmpty() filled!: number;
  @v.IsOptional() @Type(() => Number) @v.IsInt() maybe?: number;
}
class Implicit {
  @v.IsString() name!: string;
  @v.IsOptional() @v.IsEmail() email?: string;
  @v.IsInt() @v.Max(5) age!: number;
  @v.IsBoolean() flag!: boolean;
  @v.IsDate() at!: Date;
  @v.IsString({ each: true }) tags!: string[];
  @v.ValidateNested() point!: Point;
  @v.IsIn([1, 2]) choice!: number;
}
class Transformed {
  @Transform(({ value }: { value: unknown }) => Number(value)) @v.IsInt() number!: number;
  @Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' ? value.split(',') : value,
  )
  @v.IsArray()
  list!: string[];
  @Expose()
  @Transform(({ value }: { value: unknown }) => value ?? 'x')
  @v.IsString()
  filled!: string;
}
class Renamed {
  @Expose({ name: 'user_name' }) @v.IsString() userName!: string;
  @v.IsOptional() @Exclude() @v.IsString() hidden?: string;
  @Expose() @v.IsInt() shown: number = 3;
}
class Defaults {
  @v.IsInt() page: number = 1;
  @v.IsString() @v.IsNotEmpty() sort: string = 'name';
  @v.IsInt() needed!: number;
}
class Grouped {
  @v.IsString({ groups: ['create'] }) name!: string;
  @v.IsInt({ groups: ['update'] }) age!: number;
  @v.IsBoolean({ always: true }) flag!: boolean;
  @v.MinLength(3) plain!: string;
}
@v.ValidatorConstraint()
class IsEven implements v.ValidatorConstraintInterface {
  validate(value: unknown): boolean {
    return value === undefined || Number(value) % 2 === 0;
  }
}
class Custom {
  @v.Validate(IsEven) even!: unknown;
  @v.IsInt() @v.Validate(IsEven) evenInt!: number;
}
class Base {
  @v.IsString() name!: string;
  @v.IsInt() age!: number;
}
class Derived extends Base {
  @v.MinLength(3) declare name: string;
  @v.IsBoolean() more!: boolean;
}
class Documented {
  @ApiProperty({ minLength: 5, enum: ['a', 'b'], nullable: true }) @v.IsString() name!: string;
  @ApiProperty({ type: Number, required: true }) @v.IsOptional() @v.IsString() text?: string;
}
class Partial extends PartialType(Base) {}
class PartialNotNull extends PartialType(Base, { skipNullProperties: false }) {}
class Picked extends PickType(Base, ['name'] as const) {}
class Omitted extends OmitType(Base, ['name'] as const) {}
class Intersected extends IntersectionType(Base, Point) {}

const uuid = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const presence = { defined: 1, filled: 'x', text: 'x', unlessNull: 1 };
const nested = {
  point: { x: 1 },
  needed: { x: 1 },
  object: { x: 1 },
  points: [{ x: 1 }],
  list: [{ x: 1 }],
  untyped: { x: 1 },
};
const nestedValues = [
  { x: 1, y: null },
  { x: 'a' },
  { x: 1, y: 2 },
  [{ x: 1 }, { y: 1 }],
  [[{ x: 1 }]],
  [null],
];
const all = { name: 'a', age: 1, x: 1 };

// prettier-ignore
export const CLASS_CASES: Readonly<Record<string, ClassCase>> = {
  text: {
    dto: Text,
    valid: { name: 'a', code: 'abc', tag: 'abc', ref: 'a-1', loose: 'ABC', part: 'a.b', rest: 'a', bytes: 'abc' },
    values: ['é', 'ééé', 'éééé', '😀', '😀😀', 'xa.b', 'axb', 'a-', 'a--1'],
  },
  formats: {
    dto: Formats,
    valid: {
      email: 'a@b.co', url: 'b.co', uuid, date: '2026-01-31', id: '507f1f77bcf86cd799439011', colour: '#fff', port: '80',
      version: '1.2.3', time: '10:30', digits: '12', flag: 'true', letters: 'abc', word: 'a1', json: '{}', lat: 12.5,
    },
    values: [
      '+80', '-0', '65536', '00', '1.2.3-rc.1+b', '24:00', '2330', '-1.5', '.5', '1.', '2026', 90, 90.5, -90, '45', '#FFFFFFFF',
      'fff', '0x12345678901234567890ab', 'ünï@x.co',
    ],
  },
  numbers: {
    dto: Numbers,
    valid: { any: 1, whole: 1, bounded: 2, positive: 1, negative: -1, threes: 3, none: 1, cents: 0.07 },
    values: [3, 4, 0.5, 0.07, 0.007, 1e21, 9, -3, 2 ** 53],
  },
  choices: {
    dto: Choices,
    valid: { colour: 'red', level: 1, mixed: 'a', other: 'b', five: 5, notFive: 4, flag: true, colours: ['red'] },
    values: ['red', 'blue', 2, 3, 5, '5', ['blue', 'red'], ['green']],
  },
  presence: { dto: Presence, valid: presence, values: ['check'] },
  'presence, missing skipped': { dto: Presence, valid: presence, options: { skipMissingProperties: true } },
  'presence, null skipped': { dto: Presence, valid: presence, options: { skipNullProperties: true } },
  'presence, undefined skipped': { dto: Presence, valid: presence, options: { skipUndefinedProperties: true } },
  lists: {
    dto: Lists,
    valid: {
      list: [], strings: ['a'], numbers: [1], sized: [1], filled: [1], unique: [1], uniqueInts: [1], containing: ['a'],
      lacking: ['b'], words: ['ab'], picks: ['a'],
    },
    values: [[1, 1], [{}, {}], [1, 2], [1, 2, 3], ['a', 'a'], 'b', ['ab', 'a'], [[1]]],
  },
  objects: { dto: Objects, valid: { object: {}, filled: { a: 1 }, solid: { a: 1 } }, values: [{ a: null }] },
  nested: { dto: Nested, valid: nested, values: nestedValues },
  'nested, whitelisted': {
    dto: Nested, valid: { ...nested, untyped: {} }, values: nestedValues, options: { whitelist: true, forbidNonWhitelisted: true },
  },
  maps: { dto: Maps, valid: { points: { a: { x: 1 } } }, values: [{ a: { x: 'b' } }, { a: [{ x: 1 }] }, [{ x: 1 }]] },
  tree: {
    dto: Tree,
    valid: { name: 'a', parent: { name: 'b', children: [] }, children: [{ name: 'c', children: [] }] },
    values: [{ name: 'b', children: [] }, [{ name: 'c' }], [[{ name: 'c', children: [] }]]],
  },
  owner: {
    dto: Owner,
    valid: { pet: { kind: 'dog', name: 'a', bones: 1 }, pets: [{ kind: 'cat', name: 'b', purrs: true }] },
    values: [
      { kind: 'cat', name: 'b', bones: 1 }, { kind: 'fish', name: 'c' }, { name: 'c' }, [{ kind: 'dog', name: 'a', bones: 1 }],
    ],
  },
  converted: {
    dto: Converted,
    valid: {
      whole: 1, choice: 1, text: 'ab', flag: true, at: '2026-01-31T00:00:00Z', numbers: [1], dates: ['2026-01-31'], filled: 1,
    },
    values: ['2', '1e3', ' 5 ', 'ab', ['1', 2], ['2026-01-31', '2026-01-31'], '2026', 12],
  },
  implicit: {
    dto: Implicit,
    valid: { name: 'a', age: 1, flag: true, at: '2026-01-31', tags: ['a'], point: { x: 1 }, choice: 1 },
    values: ['2', 'false', ['1', 2], { x: '1' }],
    options: { transform: true, transformOptions: { enableImplicitConversion: true } },
  },
  transformed: { dto: Transformed, valid: { number: '1', list: 'a,b', filled: 'a' }, values: ['5'] },
  renamed: { dto: Renamed, valid: { user_name: 'a', shown: 1 } },
  'renamed, exposed only': {
    dto: Renamed,
    valid: { user_name: 'a', shown: 1 },
    options: { transformOptions: { excludeExtraneousValues: true } },
    ignored: ['userName', 'hidden'],
  },
  'renamed, defaults kept': {
    dto: Renamed, valid: { user_name: 'a' }, options: { transformOptions: { exposeDefaultValues: true } },
  },
  defaults: { dto: Defaults, valid: { needed: 1 } },
  grouped: { dto: Grouped, valid: { name: 'a', age: 1, flag: true, plain: 'abc' } },
  'grouped, create': { dto: Grouped, valid: { name: 'a', flag: true }, options: { groups: ['create'] } },
  'grouped, strict': { dto: Grouped, valid: { flag: true, plain: 'abc' }, options: { strictGroups: true } },
  'grouped, always': {
    dto: Grouped, valid: { name: 'a', flag: true, plain: 'abc' }, options: { groups: ['create'], always: true },
  },
  custom: { dto: Custom, valid: { even: 2, evenInt: 2 }, values: [3, '4'] },
  derived: { dto: Derived, valid: { name: 'abc', age: 1, more: true } },
  documented: { dto: Documented, valid: { name: 'long', text: 'a' } },
  partial: { dto: Partial, valid: { name: 'a' } },
  'partial, null refused': { dto: PartialNotNull, valid: { name: 'a' } },
  picked: { dto: Picked, valid: { name: 'a' } },
  omitted: { dto: Omitted, valid: { age: 1 } },
  intersected: { dto: Intersected, valid: all },
  'intersected, whitelisted': { dto: Intersected, valid: all, options: { whitelist: true } },
  'codes of countries and the like': {
    dto: Codes,
    valid: {
      country: 'DE', currency: 'EUR', language: 'de', ip: '127.0.0.1', ip4: '127.0.0.1', host: 'a.de', base: 'YWI=', jwt: 'YQ.YQ.YQ',
      hash: 'd41d8cd98f00b204e9800998ecf8427e', upper: 'A', lower: 'a', ascii: 'a', hex: 'ff', zone: 'Europe/Berlin',
      at: '2026-01-31T00:00:00Z', secret: 'Abcdef1!',
    },
    values: ['::1', '2026-01-31 00:00:00+01:00', 'ABCDEF', '0xff', 'de'],
  },
};
