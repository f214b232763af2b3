import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { check } from '../app/check.js';
import { AppModule } from '../app/orders.js';

async function main(): Promise<void> {
  await check(await NestFactory.create(AppModule, { logger: false }));
  console.log('Nest 11, CommonJS, Express: listed and called');
}

void main();
