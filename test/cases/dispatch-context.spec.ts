import { Controller, Get, type INestApplication } from '@nestjs/common';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { McpTool } from '../../src/index.js';
import { FixtureApp } from '../support/fixture-app.js';
import { PLATFORMS } from '../support/platforms.js';

interface Store {
  readonly id: string | undefined;
  readonly url: string | undefined;
}

const storage = new AsyncLocalStorage<Store>();

/** Opens when as many handlers wait at it as were announced: two calls are then certainly in flight together. */
let barrier: { wait(): Promise<void> };
function barrierFor(count: number): { wait(): Promise<void> } {
  let open!: () => void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return {
    wait: () => {
      count -= 1;
      if (count === 0) open();
      return opened;
    },
  };
}

@Controller('context')
class ContextController {
  @McpTool('context') @Get() async context(): Promise<object> {
    const before = storage.getStore();
    await barrier.wait();
    await new Promise((resolve) => setImmediate(resolve));
    return { before: before ?? null, after: storage.getStore() ?? null };
  }
}

/** A store for each request, or for those of one path only. */
function useStore(app: INestApplication, only?: string): void {
  app.use((request: IncomingMessage, _response: ServerResponse, next: () => void) => {
    const url = (request as { originalUrl?: string }).originalUrl ?? request.url;
    if (only !== undefined && url !== only) return next();
    storage.run({ id: request.headers['x-id'] as string | undefined, url }, next);
  });
}

describe.each(PLATFORMS)('dispatch on $name: R5, the async context of a call', (platform) => {
  it('is its own, for two calls in flight together', async () => {
    const app = await FixtureApp.start({
      platform,
      controllers: [ContextController],
      mcp: { forwardHeaders: ['X-Id'] },
      configure: (nest) => useStore(nest),
    });
    try {
      barrier = barrierFor(2);
      const results = await Promise.all(
        ['one', 'two'].map((id) => app.call('context', {}, { 'x-id': id })),
      );
      expect(results.map(({ structuredContent }) => structuredContent)).toEqual(
        ['one', 'two'].map((id) => {
          const store = { id, url: '/context' };
          return { before: store, after: store };
        }),
      );
    } finally {
      await app.close();
    }
  });

  it('R14: does not hold the store that the endpoint runs in', async () => {
    const app = await FixtureApp.start({
      platform,
      controllers: [ContextController],
      mcp: { forwardHeaders: ['X-Id'] },
      configure: (nest) => useStore(nest, '/mcp'),
    });
    try {
      barrier = barrierFor(1);
      const result = await app.call('context', {}, { 'x-id': 'outer' });
      expect(result.structuredContent).toEqual({ before: null, after: null });
    } finally {
      await app.close();
    }
  });
});
