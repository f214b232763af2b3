import type { INestApplication } from '@nestjs/common';
import type { TestingModule } from '@nestjs/testing';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';

/** An HTTP framework below Nest. Every HTTP behaviour is tested on each of `PLATFORMS`. */
export interface Platform {
  readonly name: 'express' | 'fastify';
  create(module: TestingModule, options?: { rawBody?: boolean }): INestApplication;
}

export const EXPRESS: Platform = {
  name: 'express',
  create: (module, options) => module.createNestApplication({ ...options, logger: false }),
};

export const FASTIFY: Platform = {
  name: 'fastify',
  create: (module, options) =>
    module.createNestApplication<NestFastifyApplication>(new FastifyAdapter(), {
      ...options,
      logger: false,
    }),
};

export const PLATFORMS: readonly Platform[] = [EXPRESS, FASTIFY];
