import { Injectable } from '@nestjs/common';
import { EndpointStarter } from './endpoint-starter.js';

/** What `@nestjs/terminus` takes for the result of a health indicator. */
export type McpHealth = Record<string, { status: 'up' | 'down'; message?: string }>;

/**
 * Tells whether this instance is to be sent messages: not before it serves, not before it knows what tools other instances have
 * switched off, and not when it shuts down. A Redis that is away later does not make it unready: most messages need none.
 *
 * @example
 * @Get('ready')
 * @HealthCheck()
 * ready() {
 *   return this.health.check([() => this.mcp.check()]);
 * }
 */
@Injectable()
export class McpHealthIndicator {
  constructor(private readonly starter: EndpointStarter) {}

  /** @param key under which the result stands. Default `'mcp'` */
  check(key = 'mcp'): McpHealth {
    const { unready } = this.starter;
    return {
      [key]: unready === undefined ? { status: 'up' } : { status: 'down', message: unready },
    };
  }
}
