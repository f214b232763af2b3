import type { FixtureApp, CallResult } from '../support/fixture-app.js';
import { PLATFORMS, type Platform } from '../support/platforms.js';

/** How the messages of one revision are sent, without sessions. */
export interface Era {
  readonly name: string;
  request(
    app: FixtureApp,
    method: string,
    params?: Record<string, unknown>,
    headers?: Record<string, string>,
  ): Promise<Answer>;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly result?: CallResult & { readonly tools?: readonly { readonly name: string }[] };
  readonly error?: { readonly code: number; readonly data?: { readonly ref?: string } };
}

const read = ({ status, text }: { status: number; text: string }): Answer => ({
  ...(JSON.parse(text) as Omit<Answer, 'status' | 'text'>),
  status,
  text,
});

export const ERAS: readonly Era[] = [
  {
    name: '2026-07-28',
    request: async (app, method, params, headers) =>
      read(await app.request(method, params, headers)),
  },
  {
    name: '2025-11-25',
    request: async (app, method, params = {}, headers = {}) =>
      read(
        await app.post(
          { jsonrpc: '2.0', id: 1, method, params },
          { 'mcp-protocol-version': '2025-11-25', ...headers },
        ),
      ),
  },
];

/** Every platform in both eras. */
export const CASES: readonly { name: string; platform: Platform; era: Era }[] = PLATFORMS.flatMap(
  (platform) => ERAS.map((era) => ({ name: `${platform.name} in ${era.name}`, platform, era })),
);
