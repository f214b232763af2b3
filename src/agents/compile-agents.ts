import type { Tool } from '../catalog/tool.js';
import { compileArgumentCheck } from '../dispatch/argument-check.js';
import { callLimiter, compileRoutes, type ServedApplication } from '../endpoint-runtime.js';
import { newRef } from '../protocol/exchange.js';
import type { ServedTool } from '../protocol/tool-context.js';
import type { UpstreamConnections } from '../upstream/connections.js';
import type { ServedTools } from './agent-server.js';
import type { ResolvedAgentsOptions } from './agents.options.js';
import type { BoundTool, BuiltAgent } from './build-agents.js';
import { compileOperationCall, type OperationCallContext } from './operation-call.js';

/** Makes the tools of an agent ready to be called. */
export type CompileTools = (agent: BuiltAgent) => ServedTools;

/** All agents, of all catalogs, share the bound on the calls that run at a time. */
export function compileAgents(
  { options, credentials }: Pick<ResolvedAgentsOptions, 'options' | 'credentials'>,
  application: ServedApplication,
  connections: UpstreamConnections,
): CompileTools {
  const limiter = callLimiter(options);
  const { isClosed } = application;
  return ({ workspace, tools }) => {
    const context = { connections, workspace, credentials, limiter, isClosed };
    const routes = tools.filter(({ operation }) => operation === undefined);
    const served = compileRoutes(
      routes.map(({ tool }) => tool),
      options,
      application,
      limiter,
    );
    return new Map([...served, ...tools.flatMap((bound) => servedOperation(bound, context))]);
  };
}

function servedOperation(
  { tool, operation }: BoundTool,
  context: OperationCallContext,
): [Tool, ServedTool][] {
  if (operation === undefined) return [];
  const checkOutput = tool.outputSchema && compileArgumentCheck(tool.outputSchema);
  const run = compileOperationCall(tool, operation, context);
  return [[tool, { run, result: { checkOutput, newRef } }]];
}
