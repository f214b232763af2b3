import {
  Body,
  Controller,
  Get,
  Inject,
  Injectable,
  Post,
  Req,
  Scope,
  Version,
  VERSION_NEUTRAL,
  VersioningType,
  type VersioningOptions,
} from '@nestjs/common';
import { ContextIdFactory, REQUEST, type ContextIdStrategy } from '@nestjs/core';
import type { IncomingMessage } from 'node:http';
import { McpTool, type McpModuleOptions } from '../../src/index.js';
import type { ParityCase } from './parity.row.js';

type Raw = IncomingMessage | { raw: IncomingMessage };

/** @file Scopes, raw bodies, and versions of each type: what takes an application of its own. */

let built = 0;

/** One instance for each tenant, for as long as the application runs. */
@Injectable({ scope: Scope.REQUEST, durable: true })
class TenantService {
  readonly number = (built += 1);
  constructor(@Inject(REQUEST) readonly payload: { readonly tenant?: string }) {}
}
@Injectable({ scope: Scope.TRANSIENT })
class TransientService {
  readonly kind = 'transient';
}

@Controller('scopes')
export class ScopesController {
  constructor(
    private readonly tenant: TenantService,
    private readonly transient: TransientService,
  ) {}
  @McpTool('durable') @Get('durable') durable(): object {
    return { tenant: this.tenant.payload.tenant, number: this.tenant.number };
  }
  @McpTool('transient') @Get('transient') kind(): object {
    return { kind: this.transient.kind };
  }
}

@Controller('raw')
export class RawController {
  @McpTool('raw_body') @Post('body') body(
    @Req() request: { rawBody?: Buffer },
    @Body() body: object,
  ): object {
    return { raw: request.rawBody?.toString(), body };
  }
}

export const SCOPE_PROVIDERS = [TenantService, TransientService];

/** Nest's recipe for durable providers: a tree of its own for each tenant. */
export function useTenants(): void {
  const trees = new Map<string, ReturnType<typeof ContextIdFactory.create>>();
  const strategy: ContextIdStrategy = {
    attach(contextId, request: Raw) {
      const { headers } = 'raw' in request ? request.raw : request;
      const tenant = String(headers['x-tenant'] ?? 'nobody');
      const tree = trees.get(tenant) ?? ContextIdFactory.create();
      trees.set(tenant, tree);
      return {
        resolve: ({ isTreeDurable }) => (isTreeDurable ? tree : contextId),
        payload: { tenant },
      };
    },
  };
  ContextIdFactory.apply(strategy);
}

const nested = { a: [1, { b: 'ä' }], c: null };

export const SCOPE_CASES: readonly ParityCase[] = [
  ...['red', 'blue', 'red'].map((tenant, i) => ({
    title: `durable scope: tenant ${tenant}${i === 2 ? ', again' : ''}`,
    tool: 'durable',
    args: {},
    http: ['GET', '/scopes/durable'] as const,
    headers: { 'x-tenant': tenant },
    status: 200,
    holds: `"tenant":"${tenant}"`,
  })),
  {
    title: 'transient scope',
    tool: 'transient',
    args: {},
    http: ['GET', '/scopes/transient'],
    status: 200,
    holds: 'transient',
  },
  {
    title: 'rawBody',
    tool: 'raw_body',
    args: { body: nested },
    http: ['POST', '/raw/body', nested],
    status: 201,
    holds: '"raw":"{\\"a\\":[1,{\\"b\\":\\"ä\\"}],\\"c\\":null}"',
  },
];

@Controller({ path: 'versions', version: ['1', '2'] })
export class OldController {
  @McpTool('old') @Get() old(): object {
    return { version: 'old' };
  }
}
@Controller({ path: 'versions', version: '3' })
export class NewController {
  @McpTool('new') @Get() new(): object {
    return { version: 'new' };
  }
  @McpTool('newest') @Version('4') @Get() newest(): object {
    return { version: 'newest' };
  }
  @McpTool('any') @Version(VERSION_NEUTRAL) @Get('any') any(): object {
    return { version: 'any' };
  }
}

export interface VersioningScenario {
  readonly title: string;
  readonly versioning: VersioningOptions;
  readonly mcp: McpModuleOptions;
  readonly rows: readonly ParityCase[];
}

interface Incoming {
  readonly headers: Readonly<Record<string, string | undefined>>;
}
const extractor = ({ headers }: Incoming): string => headers['x-api'] ?? '';

function versionRows(
  path: (version: string) => string,
  httpHeaders: (version: string) => Record<string, string>,
): ParityCase[] {
  const chosen = [
    ['old', '1', ''],
    ['new', '3', ''],
    ['newest', '4', ''],
  ].map(([tool = '', version = '']) => ({
    title: `version ${version}`,
    tool,
    args: {},
    http: ['GET', path(version)] as const,
    httpHeaders: httpHeaders(version),
    status: 200,
    holds: `"version":"${tool}"`,
  }));
  const neutral: ParityCase = {
    title: 'version-neutral',
    tool: 'any',
    args: {},
    http: ['GET', '/versions/any'],
    status: 200,
    holds: '"version":"any"',
  };
  return [...chosen, neutral];
}

export const VERSIONING: readonly VersioningScenario[] = [
  {
    title: 'URI versioning',
    versioning: { type: VersioningType.URI },
    mcp: {},
    rows: versionRows(
      (version) => `/v${version}/versions`,
      () => ({}),
    ),
  },
  {
    title: 'Header versioning',
    versioning: { type: VersioningType.HEADER, header: 'X-Version' },
    mcp: {},
    rows: versionRows(
      () => '/versions',
      (version) => ({ 'x-version': version }),
    ),
  },
  {
    title: 'Media type versioning',
    versioning: { type: VersioningType.MEDIA_TYPE, key: 'v=' },
    mcp: {},
    rows: versionRows(
      () => '/versions',
      (version) => ({ accept: `application/json;v=${version}` }),
    ),
  },
  {
    title: 'Custom versioning',
    versioning: { type: VersioningType.CUSTOM, extractor: extractor as never },
    mcp: { versionHeaders: ({ versions }) => ({ 'x-api': String(versions[0]) }) },
    rows: versionRows(
      () => '/versions',
      (version) => ({ 'x-api': version }),
    ),
  },
];
