import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import 'reflect-metadata';
import { AppModule } from './app.js';

// Node waits for a connection that was opened and never used, as those of a client that gave up are.
const options = { logger: ['error' as const], forceCloseConnections: true };
const app = await (process.env['PLATFORM'] === 'fastify'
  ? NestFactory.create(AppModule, new FastifyAdapter({ forceCloseConnections: true }), options)
  : NestFactory.create(AppModule, options));
app.enableShutdownHooks();
await app.listen(Number(process.env['PORT']), '127.0.0.1');
