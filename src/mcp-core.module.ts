import { Module, type NestModule, type OnModuleInit } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { RouteRecorder } from './discovery/route-recorder.js';
import { appendArgumentInterceptor } from './dispatch/argument.interceptor.js';
import { McpCallGuard } from './dispatch/call.guard.js';
import { onlyForCalls } from './dispatch/only-for-calls.js';
import { EndpointRegistry } from './endpoint-registry.js';
import { EndpointIntake } from './endpoint-intake.js';
import { EndpointStarter } from './endpoint-starter.js';
import { McpHealthIndicator } from './mcp.health.js';

/** What all endpoints of an application share. Imported by each of them, and there once. */
@Module({
  imports: [DiscoveryModule],
  providers: [
    RouteRecorder,
    EndpointRegistry,
    EndpointIntake,
    EndpointStarter,
    McpHealthIndicator,
    { provide: APP_GUARD, useClass: McpCallGuard },
  ],
  exports: [EndpointRegistry, McpHealthIndicator],
})
export class McpCoreModule implements NestModule, OnModuleInit {
  constructor(
    private readonly recorder: RouteRecorder,
    private readonly starter: EndpointStarter,
  ) {}

  /** Runs just before routes are registered. */
  configure(): void {
    this.starter.checkPaths();
    this.recorder.start(onlyForCalls, appendArgumentInterceptor);
  }

  /** Runs just after routes are registered. */
  async onModuleInit(): Promise<void> {
    await this.starter.start(this.recorder);
  }
}
