import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { RouteRecorder } from './discovery/route-recorder.js';
import { EndpointRegistry, type RegisteredEndpoint } from './endpoint-registry.js';
import type { ProtectedResource } from './endpoint/protected-resource.js';
import {
  installOnExpress,
  installOnFastify,
  type EndpointPaths,
  type ExpressApplication,
  type FastifyInstance,
} from './endpoint/body-intake.hooks.js';
import { moveForward, type RoutedApplication } from './endpoint/route-order.js';

/**
 * Hooks the intake of messages into the HTTP framework before any body parser is there: `init$` fires with the adapter,
 * under `NestFactory` and the testing module alike, where a constructor would be too early and `configure()` too late.
 */
@Injectable()
export class EndpointIntake implements EndpointPaths, OnModuleInit {
  private endpoints: Map<string, RegisteredEndpoint['endpoint']> | undefined;

  constructor(
    private readonly registry: EndpointRegistry,
    private readonly recorder: RouteRecorder,
    private readonly adapterHost: HttpAdapterHost,
  ) {
    adapterHost.init$.subscribe(() => {
      // An application context sets an adapter that is not there.
      const httpAdapter = adapterHost.httpAdapter as HttpAdapterHost['httpAdapter'] | null;
      if (httpAdapter === null) return;
      const instance = httpAdapter.getInstance<unknown>();
      if (httpAdapter.getType() === 'express')
        installOnExpress(instance as ExpressApplication, this);
      else installOnFastify(instance as FastifyInstance, this);
    });
  }

  /** The root endpoint's first. */
  get paths(): Iterable<string> {
    return this.byPath().keys();
  }

  maxBytesOf(path: string): number | undefined {
    return this.byPath().get(path)?.options.maxRequestBytes;
  }

  resourceAt(path: string): ProtectedResource | undefined {
    return this.byPath().get(path)?.resource;
  }

  get resources(): readonly ProtectedResource[] {
    return [...this.byPath().values()].flatMap(({ resource }) => resource ?? []);
  }

  /** Runs just after routes are registered. */
  onModuleInit(): void {
    const { httpAdapter } = this.adapterHost;
    // An application context or a microservice without HTTP has no routes.
    if ((httpAdapter as unknown) == null || httpAdapter.getType() !== 'express') return;
    for (const path of this.paths) moveForward(httpAdapter.getInstance<RoutedApplication>(), path);
  }

  private byPath(): Map<string, RegisteredEndpoint['endpoint']> {
    if (this.endpoints !== undefined) return this.endpoints;
    const routes = this.recorder.finish();
    const ordered = this.registry.endpoints.toSorted((a) => (a.kind === 'root' ? -1 : 1));
    this.endpoints = new Map(
      ordered.flatMap(({ controller, endpoint }) =>
        routes
          .filter((route) => route.controller === controller)
          .map(({ path }): [string, typeof endpoint] => [path, endpoint]),
      ),
    );
    return this.endpoints;
  }
}
