import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { check } from '../app/check.js';
import { AppModule } from '../app/orders.js';

await check(await NestFactory.create(AppModule, { logger: false }));
console.log('Nest 12, Express: listed and called');
await check(await NestFactory.create(AppModule, new FastifyAdapter(), { logger: false }));
console.log('Nest 12, Fastify: listed and called');
