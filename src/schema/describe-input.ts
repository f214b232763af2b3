import type { Route } from '../discovery/route.js';
import { bodyMediaType, type BodyInput } from './body-input.js';
import { Definitions } from './definitions.js';
import { handlerParameters } from './handler-parameters.js';
import { InputCollector } from './input-collector.js';
import { layOut } from './input-layout.js';
import { parametersOf } from './input-members.js';
import type { JsonSchemaObject } from './json-schema.js';
import type { OptionalPeers } from './optional-peers.js';
import { headerProblems } from './reserved-headers.js';
import type { ArgumentLayout, RouteInput } from './route-input.js';
import { SchemaNames } from './schema-names.js';
import { apiConsumes } from './swagger-metadata.js';
import { verbatimInput } from './verbatim-input.js';

export interface InputContext {
  readonly layout: ArgumentLayout;
  /** The global, class and method pipes (instances or classes), in the order Nest runs them. */
  readonly pipes: readonly unknown[];
  readonly optional: OptionalPeers;
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
}

/**
 * Describes what a route reads from a request, from the metadata that the application has: Standard Schemas, pipes,
 * class-validator and class-transformer, swagger and TypeScript types, the first that speaks. The schema takes whatever the
 * route takes, and may take more.
 */
export function describeInput(route: Route, context: InputContext): InputDescription {
  const definitions = new Definitions();
  const collector = new InputCollector(route, {
    peers: context.optional,
    pipes: context.pipes,
    definitions,
    names: new SchemaNames(route.controller, route.handler),
    silentFactories: context.silentFactories ?? new Set(),
  });
  const consumes = apiConsumes(route.controller, route.handler);
  const handler = handlerParameters(route);
  const takesFiles = handler.some(({ binding }) => binding === 'file');
  const mediaType = bodyMediaType(consumes, takesFiles);
  for (const parameter of handler) {
    collector.add(parameter, mediaType ?? 'application/json');
  }
  collector.overlay();
  const groups = collector.groups();
  const body = collector.body.finish(mediaType ?? 'application/json', definitions);
  const problems = [
    ...collector.problems,
    ...(body !== undefined && mediaType === undefined ? [unwritable(consumes)] : []),
  ];
  if (context.input !== undefined) {
    const given = verbatimInput(context.input, context.layout, groups, body, mediaType);
    return { ...given, problems: [...problems, ...given.problems], warnings: [] };
  }
  if (takesFiles && body?.hasFiles !== true) problems.push(NAMELESS_FILE);
  const laidOut = layOut(context.layout, groups, body, definitions);
  const parameters = parametersOf(groups);
  return {
    input: {
      layout: context.layout,
      schema: laidOut.schema,
      parameters,
      ...(body === undefined ? {} : { body: bodyOf(body) }),
    },
    problems: [...problems, ...headerProblems(parameters), ...laidOut.problems],
    warnings: collector.warnings,
  };
}

const NAMELESS_FILE =
  'it takes an uploaded file, and nothing says in which field of the form: name the field in ' +
  "@ApiBody({ schema: { type: 'object', properties: { file: { type: 'string', format: 'binary' } } } }), " +
  'or in @McpTool({ input })';

function bodyOf({ mediaType, required }: BodyInput): NonNullable<RouteInput['body']> {
  return { mediaType, required };
}

function unwritable(consumes: readonly string[]): string {
  return (
    `its body is ${consumes.join(' or ')}, which a tool call cannot write: ` +
    'let the route take application/json too, or leave it out of the tools'
  );
}
