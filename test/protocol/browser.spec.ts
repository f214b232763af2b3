import type { INestApplication } from '@nestjs/common';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium, type Browser, type Page } from 'playwright-core';
import { FixtureApp } from '../support/fixture-app.js';
import { has } from '../support/needs.js';
import { PLATFORMS, type Platform } from '../support/platforms.js';
import { TOOLS } from './tools.fixture.js';

/** Debian's. Without it there is nothing to test with: `.ci/run` installs it. */
const CHROMIUM = '/usr/bin/chromium';

/** The recipe of the README: what a page of another origin needs beside `allowedOrigins`. */
export const corsOptions = (origin: string): Parameters<INestApplication['enableCors']>[0] => ({
  origin: [origin],
  methods: ['GET', 'POST', 'DELETE'],
  allowedHeaders: [
    'Accept',
    'Authorization',
    'Content-Type',
    'Last-Event-ID',
    'MCP-Protocol-Version',
    'Mcp-Method',
    'Mcp-Name',
    'Mcp-Session-Id',
  ],
  exposedHeaders: ['Mcp-Session-Id', 'WWW-Authenticate'],
});

/** Runs in the page: a client of both eras by `fetch`. */
async function visit(url: string): Promise<Record<string, unknown>> {
  const common = {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    Authorization: 'Bearer ann',
  };
  const send = (message: object, headers: object): Promise<Response> =>
    fetch(url, {
      method: 'POST',
      headers: { ...common, ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    });
  try {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const params = { name: 'echo', arguments: { path: { text: 'page' } }, _meta };
    const modern = {
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': 'tools/call',
      'Mcp-Name': 'echo',
    };
    const called = await send({ id: 1, method: 'tools/call', params }, modern);
    const initialize = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'p', version: '1' },
    };
    const opened = await send({ id: 1, method: 'initialize', params: initialize }, {});
    const session = opened.headers.get('Mcp-Session-Id') ?? '';
    const dated = { 'Mcp-Session-Id': session, 'MCP-Protocol-Version': '2025-11-25' };
    await send({ method: 'notifications/initialized' }, dated);
    const pinged = await send({ id: 2, method: 'ping' }, dated);
    const ended = await fetch(url, { method: 'DELETE', headers: { ...common, ...dated } });
    return {
      called: await called.json(),
      session: session.length > 0,
      pinged: await pinged.json(),
      ended: ended.status,
    };
  } catch (error) {
    return { failed: String(error) };
  }
}

const withChromium = has([CHROMIUM], 'apt-get install chromium') ? describe : describe.skip;

withChromium('protocol in a real page', () => {
  let browser: Browser;
  let site: Server;
  let origin: string;
  beforeAll(async () => {
    site = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html').end('<!doctype html><title>page</title>');
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    await new Promise((resolve) => site.close(resolve));
  });

  const inPage = async (
    platform: Platform,
    { cors, allowed }: { cors: boolean; allowed: boolean },
  ): Promise<Record<string, unknown>> => {
    const app = await FixtureApp.start({
      ...TOOLS,
      platform,
      mcp: { sessions: {}, allowedOrigins: allowed ? [origin] : [] },
      configure: (nest) => (cors ? nest.enableCors(corsOptions(origin)) : undefined),
    });
    const page: Page = await browser.newPage();
    try {
      await page.goto(origin);
      return await page.evaluate(visit, app.url + app.path);
    } finally {
      await page.close();
      await app.close();
    }
  };

  it.each(PLATFORMS)(
    '$name: works with the settings of the README',
    async (platform) => {
      const seen = await inPage(platform, { cors: true, allowed: true });
      expect(seen).toMatchObject({
        called: { result: { structuredContent: { text: 'page' } } },
        session: true,
        pinged: { result: {} },
        ended: 204,
      });
    },
    60_000,
  );

  it.each(PLATFORMS)(
    '$name: a page that CORS does not allow reads nothing',
    async (platform) => {
      const seen = await inPage(platform, { cors: false, allowed: true });
      expect(seen).toEqual({ failed: 'TypeError: Failed to fetch' });
    },
    60_000,
  );

  it.each(PLATFORMS)(
    '$name: CORS alone is not enough: the endpoint refuses the origin',
    async (platform) => {
      const seen = await inPage(platform, { cors: true, allowed: false });
      expect(seen).toMatchObject({ called: { error: { code: -32600 } }, session: false });
    },
    60_000,
  );
});
