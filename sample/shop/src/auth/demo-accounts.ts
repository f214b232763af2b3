import type { User } from './user.js';

interface DemoAccount {
  readonly user: User;
  readonly token: string;
}

/** Who can call this sample. Constant, so that a client configuration survives a restart. */
export const DEMO_ACCOUNTS: readonly [DemoAccount, ...DemoAccount[]] = [
  { user: { name: 'alice', role: 'support' }, token: 'demo-token-of-alice' },
  { user: { name: 'bob', role: 'admin' }, token: 'demo-token-of-bob' },
];
