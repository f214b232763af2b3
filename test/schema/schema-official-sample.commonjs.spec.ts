/** @file CommonJS, since the sample has `@nestjs/throttler`. */
import type { INestApplication } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { McpToolCatalog } from 'nestjs-mcp-routes';
import { AppModule } from '../../sample/shop/src/app.module.js';
import { configure } from '../../sample/shop/src/configure.js';
import { misfitsOf, REVISIONS } from './official-tools.js';

describe('schema: the tools of the sample', () => {
  let app: INestApplication;
  beforeAll(async () => {
    const testing = await Test.createTestingModule({ imports: [AppModule] }).compile();
    const shop = testing.createNestApplication<NestExpressApplication>({ logger: false });
    configure(shop);
    app = shop;
    await app.init();
  });
  afterAll(() => app.close());

  it.each(REVISIONS)('fit the official schema of %s', (revision) => {
    const { tools } = app.get(McpToolCatalog, { strict: false });
    expect(tools.length).toBeGreaterThan(10);
    expect(misfitsOf(tools, revision)).toEqual([]);
  });
});
