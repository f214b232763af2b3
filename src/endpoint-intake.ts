import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { RouteRecorder } from './discovery/route-recorder.js';
import { EndpointRegistry } from './endpoint-registry.js';
import {
  installOnExpress,
  installOnFastify,
  type EndpointPaths,
  type ExpressApplication,
  type FastifyInstance,
} from './endpoint/body-intake.hooks.js';

/**
 * Hooks the intake of messages into the HTTP framework before any body parser is there: `init$` fires with the adapter,
 * under `NestFactory` and the testing module alike, where a constructor would be too early and `configure()` too late.
 */
@Injectable()
export class EndpointIntake implements EndpointPaths {
  private limits: Map<string, number> | undefined;

  constructor(
    private readonly registry: EndpointRegistry,
    private readonly recorder: RouteRecorder,
    adapterHost: HttpAdapterHost,
  ) {
    adapterHost.init$.subscribe(() => {
      const { httpAdapter } = adapterHost;
      const instance = httpAdapter.getInstance<unknown>();
      if (httpAdapter.getType() === 'express')
        installOnExpress(instance as ExpressApplication, this);
      else installOnFastify(instance as FastifyInstance, this);
    });
  }

  get paths(): Iterable<string> {
    return this.byPath().keys();
  }

  maxBytesOf(path: string): number | undefined {
    return this.byPath().get(path);
  }

  private byPath(): Map<string, number> {
    this.limits ??= new Map(
      this.recorder.finish().flatMap(({ path, controller }) => {
        const registered = this.registry.endpoints.find((one) => one.controller === controller);
        return registered === undefined
          ? []
          : [[path, registered.endpoint.options.maxRequestBytes]];
      }),
    );
    return this.limits;
  }
}
