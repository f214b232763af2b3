import type { Route } from '../discovery/route.js';
import { bodyMediaType, type BodyInput } from './body-input.js';
import { clientNames } from './client-names.js';
import { Definitions } from './definitions.js';
import { type HandlerParameter, handlerParameters } from './handler-parameters.js';
import { InputCollector, type UnknownParameter } from './input-collector.js';
import { bodyPlace, layOut } from './input-layout.js';
import { type MemberGroup, parametersOf } from './input-members.js';
import { ClassSchemas } from './class-schemas.js';
import type { JsonSchemaObject } from './json-schema.js';
import type { OptionalPeers } from './optional-peers.js';
import { placeProblems } from './place-problems.js';
import { headerProblems } from './reserved-headers.js';
import type { ArgumentLayout, BodyMediaType, RouteInput } from './route-input.js';
import { pathParameters } from './route-path.js';
import { missingNames, SchemaNames } from './schema-names.js';
import type { SchemaView } from './schema-view.js';
import { sharedMembers } from './shared-members.js';
import { apiConsumes, apiParameters, objectOf } from './swagger-metadata.js';
import { TextValues } from './text-values.js';
import { verbatimInput } from './verbatim-input.js';

export interface InputContext {
  readonly layout: ArgumentLayout;
  /** The global, class and method pipes (instances or classes), in the order Nest runs them. */
  readonly pipes: readonly unknown[];
  readonly optional: OptionalPeers;
  /** What other routes' descriptions have made; what this one makes is added. */
  readonly classes?: ClassSchemas;
  /** `@McpTool({ input })`: shown as it is. */
  readonly input?: JsonSchemaObject;
  /** The factories of custom parameter decorators that read no argument, such as the module's own. */
  readonly silentFactories?: ReadonlySet<unknown>;
}

export interface InputDescription {
  readonly input: RouteInput;
  /** Why the route cannot be a tool, each with what to do, without the route's name. */
  readonly problems: readonly string[];
  /** What a model is not told. */
  readonly warnings: readonly string[];
  /** Of what kind the parameters are that tell nothing of what they take. */
  readonly unknown: readonly UnknownParameter[];
}

/**
 * Describes what a route reads from a request, from the metadata that the application has: Standard Schemas, pipes,
 * class-validator and class-transformer, swagger and TypeScript types, the first that speaks. The checked schema takes
 * whatever the route takes, and may take more.
 */
export function describeInput(route: Route, context: InputContext): InputDescription {
  const consumes = consumedTypes(route);
  const handler = handlerParameters(route);
  const takesFiles = handler.some(({ binding }) => binding === 'file');
  const mediaType = bodyMediaType(consumes, takesFiles);
  const shown = collect(route, handler, mediaType, context, 'shown');
  const { groups, body, collector } = shown;
  const problems = [
    ...collector.problems,
    ...(body !== undefined && mediaType === undefined ? [unwritable(consumes)] : []),
  ];
  if (context.input !== undefined) {
    const given = verbatimInput(context.input, context.layout, groups, body, mediaType);
    return { ...given, problems: [...problems, ...given.problems], warnings: [], unknown: [] };
  }
  if (takesFiles && body?.hasFiles !== true) problems.push(NAMELESS_FILE);
  const checked = collect(route, handler, mediaType, context, 'check');
  const shared = sharedMembers(body?.sources ?? new Map(), checked.body?.sources ?? new Map());
  const told = body && withMembers(body, shared.shown);
  const { schema, problems: clashes } = layOut(context.layout, groups, told, shown.definitions);
  const parameters = parametersOf(groups);
  const namesInPath = pathParameters(route.path).map(({ name }) => name);
  const check = checkSchema(checked, context.layout);
  const names = clientNames(schema);
  return {
    input: {
      layout: context.layout,
      schema,
      check,
      ...(names === undefined ? {} : { clientNames: names }),
      parameters,
      ...(body === undefined ? {} : { body: bodyOf(body) }),
    },
    problems: [
      ...problems,
      ...headerProblems(parameters),
      ...placeProblems(namesInPath, parameters),
      ...shared.problems,
      ...clashes,
    ],
    warnings: [...collector.warnings, ...missingNames(shown.names)],
    unknown: [...collector.unknown],
  };
}

function withMembers(
  body: BodyInput,
  members: Readonly<Record<string, JsonSchemaObject>>,
): BodyInput {
  if (Object.keys(members).length === 0) return body;
  const properties = { ...body.schema.properties, ...members };
  return { ...body, schema: { ...body.schema, properties } };
}

interface Collected {
  readonly collector: InputCollector;
  readonly groups: readonly MemberGroup[];
  readonly body: BodyInput | undefined;
  readonly definitions: Definitions;
  readonly names: SchemaNames;
}

function collect(
  route: Route,
  handler: readonly HandlerParameter[],
  mediaType: BodyMediaType = 'application/json',
  context: InputContext,
  view: SchemaView,
): Collected {
  const definitions = new Definitions();
  const names = new SchemaNames(route.controller, route.handler);
  const collector = new InputCollector(route, {
    peers: context.optional,
    pipes: context.pipes,
    definitions,
    names,
    classes: context.classes ?? new ClassSchemas(),
    view,
    silentFactories: context.silentFactories ?? new Set(),
  });
  for (const parameter of handler) collector.add(parameter, mediaType);
  collector.overlay(mediaType);
  const body = collector.body.finish(mediaType, definitions);
  return { collector, groups: collector.groups(), body, definitions, names };
}

/** Everything but a JSON body is text on the way. */
function checkSchema(
  { groups, body, definitions }: Collected,
  layout: ArgumentLayout,
): JsonSchemaObject {
  const texts = new TextValues(definitions);
  for (const { members } of groups) {
    for (const [name, member] of members) {
      members.set(name, { ...member, schema: texts.of(member.schema) });
    }
  }
  const isText = body !== undefined && bodyPlace(body) === 'form';
  const written = isText ? { ...body, schema: texts.of(body.schema) } : body;
  return layOut(layout, groups, written, definitions).schema;
}

const NAMELESS_FILE =
  'it takes an uploaded file, and nothing says in which field of the form: name the field in ' +
  "@ApiBody({ schema: { type: 'object', properties: { file: { type: 'string', format: 'binary' } } } }), " +
  'or in @McpTool({ input })';

/** The media types of `@ApiConsumes()`, or else those of `@ApiBody({ content })`. */
function consumedTypes({ controller, handler }: Route): readonly string[] {
  const consumes = apiConsumes(controller, handler);
  if (consumes.length > 0) return consumes;
  const bodies = apiParameters(controller, handler).filter((given) => given.in === 'body');
  return bodies.flatMap(({ content }) => Object.keys(objectOf(content)));
}

function bodyOf({ mediaType, required }: BodyInput): NonNullable<RouteInput['body']> {
  return { mediaType, required };
}

function unwritable(consumes: readonly string[]): string {
  return (
    `its body is ${consumes.join(' or ')}, which a tool call cannot write: ` +
    'let the route take application/json too, or leave it out of the tools'
  );
}
