import type { Route } from '../discovery/route.js';
import { BodyParts } from './body-input.js';
import { ClassDescriber } from './class-describer.js';
import { isOwnClass } from './class-type.js';
import { saysNothing } from './combine-schemas.js';
import type { HandlerParameter } from './handler-parameters.js';
import { MemberGroup } from './input-members.js';
import type { JsonSchemaObject } from './json-schema.js';
import type { ValueSource } from './member-schema.js';
import { annotationsOfOpenApi, schemaOfOpenApi } from './openapi-schema.js';
import { type ParameterContext, type ParameterValue, parameterValue } from './parameter-value.js';
import { headerProblem } from './reserved-headers.js';
import type { BodyMediaType, ParameterPlace } from './route-input.js';
import { pathParameters } from './route-path.js';
import { apiParameters, objectOf, type OpenApiObject } from './swagger-metadata.js';
import { NO_VALIDATION } from './validation-policy.js';

interface CollectorContext extends ParameterContext {
  readonly silentFactories: ReadonlySet<unknown>;
}

/** A parameter that only the application knows the arguments of: `@Req()`, or a decorator of its own. */
export type UnknownParameter = 'request' | 'custom';

/** Gathers the arguments of a route by place, from its path, its handler's parameters and swagger. */
export class InputCollector {
  readonly body: BodyParts;
  readonly problems: string[] = [];
  readonly warnings: string[] = [];
  /** Of what kind the parameters are that tell nothing of what they take. */
  readonly unknown = new Set<UnknownParameter>();
  private readonly path = new MemberGroup('path');
  private readonly query = new MemberGroup('query');
  private readonly header = new MemberGroup('header');
  private readonly cookie = new MemberGroup('cookie');

  constructor(
    private readonly route: Route,
    private readonly context: CollectorContext,
  ) {
    this.body = new BodyParts(context.view);
    for (const { name, optional, wildcard } of pathParameters(route.path)) {
      const schema: JsonSchemaObject = wildcard
        ? { type: 'string', description: 'The rest of the path.' }
        : { type: 'string' };
      this.path.add(name, { schema, required: !optional, isEnforced: false });
    }
  }

  groups(): readonly MemberGroup[] {
    return [this.path, this.query, this.header, this.cookie];
  }

  /** Adds what one parameter of the handler reads. */
  add(parameter: HandlerParameter, mediaType: BodyMediaType): void {
    switch (parameter.binding) {
      case 'server':
        return;
      case 'path':
        return this.addPath(parameter);
      case 'query':
      case 'header':
      case 'cookie':
        return this.addNamed(this[parameter.binding], parameter);
      case 'body':
      case 'raw-body':
        return this.addBody(parameter, mediaType);
      case 'file':
        this.body.addFile();
        return;
      case 'signed-cookie':
        this.warnings.push(
          `${this.nameOf(parameter)} reads a signed cookie, which a tool call cannot sign: it is no argument`,
        );
        return;
      default:
        this.addUnknown(parameter);
    }
  }

  private addUnknown({ binding, factory }: HandlerParameter): void {
    if (this.context.silentFactories.has(factory)) return;
    this.unknown.add(binding === 'request' ? 'request' : 'custom');
  }

  private addPath(parameter: HandlerParameter): void {
    const value = this.valueOf(parameter, 'text');
    if (parameter.name !== undefined) return this.describePath(parameter.name, value);
    const whole = this.context.definitions.resolve(value.schema);
    for (const [name, schema] of Object.entries(whole.properties ?? {})) {
      if (typeof schema === 'object') this.describePath(name, { ...value, schema });
    }
  }

  /** The path decides which parameters there are; a decorator only says what they take. */
  private describePath(name: string, { schema, isEnforced }: ParameterValue): void {
    const known = this.path.members.get(name);
    if (known === undefined || saysNothing(schema) || known.isEnforced) return;
    this.path.members.set(name, { ...known, schema, isEnforced });
  }

  private addNamed(group: MemberGroup, parameter: HandlerParameter): void {
    const value = this.valueOf(parameter, 'text');
    if (parameter.name !== undefined) {
      const isText =
        group !== this.query && saysNothing(value.schema) && this.context.view === 'shown';
      const schema = isText ? { type: 'string', ...value.schema } : value.schema;
      return group.add(parameter.name, { ...value, schema });
    }
    const whole = this.context.definitions.resolve(value.schema);
    const isRequired = group === this.query || value.required;
    group.addObject(whole, isRequired, value.isEnforced);
    // Whatever else a handler could read there, a model is to send no header or cookie that nothing names.
    if (group === this.query && whole.additionalProperties !== false) group.isOpen = true;
  }

  private addBody(parameter: HandlerParameter, mediaType: BodyMediaType): void {
    const value = this.valueOf(parameter, mediaType === 'application/json' ? 'json' : 'text');
    if (mediaType === 'multipart/form-data' && isOwnClass(parameter.type)) {
      // A class may name its files for swagger, which the pipe of the body never sees.
      this.body.addFileSource(this.declaringDescriber('text').describe(parameter.type));
    }
    if (parameter.name === undefined) this.body.addWhole(value);
    else this.body.addMember(parameter.name, value);
  }

  private valueOf(parameter: HandlerParameter, source: ValueSource): ParameterValue {
    const value = parameterValue(parameter, source, this.context);
    if (value.isMute === true) {
      this.warnings.push(
        `${this.nameOf(parameter)} has a Standard Schema that gives no JSON Schema, so what it takes is not known: ` +
          'declare it with @McpTool({ input })',
      );
    }
    return value;
  }

  /** Lays what `@ApiQuery()` and its like say over what the handler's parameters gave. */
  overlay(mediaType: BodyMediaType): void {
    for (const given of apiParameters(this.route.controller, this.route.handler)) {
      if (given.in === 'body') this.overlayBody(given, mediaType);
      else this.overlayMember(given);
    }
  }

  private overlayMember(given: OpenApiObject): void {
    const place = given.in as ParameterPlace;
    const group = this.groups().find((one) => one.place === place);
    if (group === undefined || typeof given.name !== 'string' || given.name === '') return;
    const name = place === 'header' ? given.name.toLowerCase() : given.name;
    const known = group.members.get(name);
    const isShown = this.context.view === 'shown';
    const declared = isShown ? this.declaredSchema(given) : {};
    if (known !== undefined && !isShown) return;
    if (known !== undefined) {
      const base = known.isEnforced || saysNothing(declared) ? known.schema : declared;
      group.members.set(name, { ...known, schema: { ...base, ...annotationsOfOpenApi(given) } });
    } else if (place !== 'path' && !(place === 'header' && headerProblem(name) !== undefined)) {
      const required = isShown && given.required === true;
      group.add(name, { schema: declared, required, isEnforced: false });
    }
  }

  private overlayBody(given: OpenApiObject, mediaType: BodyMediaType): void {
    const media = Object.entries(objectOf(given.content));
    const isWritten = ([name]: [string, unknown]): boolean => name.startsWith(mediaType);
    const content = objectOf((media.find(isWritten) ?? media[0])?.[1]);
    const examples = annotationsOfOpenApi({
      examples: content.examples ?? given.examples,
      example: content.example,
    });
    const whole = { ...given, schema: content.schema ?? given.schema, examples: undefined };
    this.body.declare({ ...this.declaredSchema(whole), ...examples }, given.required === true);
  }

  private declaredSchema(given: OpenApiObject): JsonSchemaObject {
    const { in: place, name: _name, required: _required, schema, type, ...own } = given;
    // `@ApiBody()` says String where it is told no type.
    const isUnsaid = schema !== undefined || (place === 'body' && type === String);
    const describer = this.declaringDescriber(place === 'body' ? 'json' : 'text');
    const typed = isUnsaid ? objectOf(schema) : { type };
    return schemaOfOpenApi({ ...own, ...typed }, describer);
  }

  /** Describes what a class declares, whatever checks it. */
  private declaringDescriber(source: ValueSource): ClassDescriber {
    return new ClassDescriber({ ...this.context, view: 'shown' }, NO_VALIDATION, source);
  }

  private nameOf({ index }: HandlerParameter): string {
    return `parameter ${String(index)}`;
  }
}
