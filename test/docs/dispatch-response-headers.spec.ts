import {
  Controller,
  Get,
  Header,
  Injectable,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { McpTool } from '../../src/index.js';
import { FixtureApp } from '../support/fixture-app.js';
import { PLATFORMS } from '../support/platforms.js';

const seen: string[] = [];

@Injectable()
class CountingGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    seen.push(context.switchToHttp().getRequest<{ url: string }>().url);
    return true;
  }
}

@Controller('pages')
class PagesController {
  @McpTool('get_page')
  @Get()
  @Header('set-cookie', 'session=of-the-route')
  @Header('etag', '"1"')
  @Header('cache-control', 'public, max-age=3600')
  @Header('x-of-the-route', 'yes')
  page(): object {
    return { page: 1 };
  }
}

describe.each(PLATFORMS)('dispatch on $name: the response of a route', (platform) => {
  let app: FixtureApp;
  beforeAll(async () => {
    app = await FixtureApp.start({
      platform,
      controllers: [PagesController],
      providers: [{ provide: APP_GUARD, useClass: CountingGuard }],
    });
  });
  afterAll(() => app.close());

  it('no header of the route reaches the client', async () => {
    const http = await app.http('GET', '/pages');
    expect(http.headers.get('etag')).toBe('"1"');
    const answer = await app.request('tools/call', { name: 'get_page', arguments: {} });
    expect(answer.json()).toMatchObject({ result: { structuredContent: { page: 1 } } });
    for (const name of ['set-cookie', 'etag', 'x-of-the-route']) {
      expect({ name, value: answer.headers.get(name) }).toEqual({ name, value: null });
    }
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('a global guard sees the message and the call', async () => {
    seen.length = 0;
    await app.call('get_page');
    expect(seen).toEqual(['/mcp', '/pages']);
  });
});
