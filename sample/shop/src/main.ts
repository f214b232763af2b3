import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from './app.module.js';
import { configure } from './configure.js';
import { connectionGuide } from './connection-guide.js';

const DEFAULT_PORT = 3000;

/** `PORT` from the environment; 0 takes any free port. */
function portFrom(value: string | undefined): number {
  if (value === undefined || value === '') return DEFAULT_PORT;
  const port = Number(value);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new RangeError(`PORT is ${JSON.stringify(value)}: give a whole number from 0 to 65535.`);
  }
  return port;
}

async function bootstrap(): Promise<void> {
  const port = portFrom(process.env.PORT);
  const app = await NestFactory.create<NestExpressApplication>(AppModule);
  configure(app);
  // Only this machine: a server that a developer runs has no business on the network.
  await app.listen(port, '127.0.0.1');
  process.stdout.write(connectionGuide(await app.getUrl()));
}

await bootstrap();
