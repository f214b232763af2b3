import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import 'reflect-metadata';
import { AppModule } from './app.js';

const app = await (process.env['PLATFORM'] === 'fastify'
  ? NestFactory.create(AppModule, new FastifyAdapter(), { logger: ['error'] })
  : NestFactory.create(AppModule, { logger: ['error'] }));
app.enableShutdownHooks();
await app.listen(Number(process.env['PORT']), '127.0.0.1');
