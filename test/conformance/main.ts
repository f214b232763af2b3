import 'reflect-metadata';
import { Module, ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { AddressInfo } from 'node:net';
import { McpModule } from 'nestjs-mcp-routes';
import { ContentController } from './content.controller.js';
import { InputController } from './input.controller.js';

@Module({
  imports: [
    McpModule.forRoot({
      name: 'conformance',
      version: '1.0.0',
      arguments: 'flat',
      sessions: {},
      listTtlMs: 60_000,
    }),
  ],
  controllers: [ContentController, InputController],
})
class ConformanceModule {}

const app = await NestFactory.create(ConformanceModule, { logger: ['error', 'warn'] });
app.useGlobalPipes(new ValidationPipe({ transform: true }));
app.enableShutdownHooks();
await app.listen(0, 'localhost');
const { port } = (app.getHttpServer() as { address(): AddressInfo }).address();
// What `run.mjs` waits for.
console.log(`listening: http://localhost:${port}/mcp`);
