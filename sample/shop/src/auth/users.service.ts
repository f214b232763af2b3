import { createHash, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DEMO_ACCOUNTS } from './demo-accounts.js';
import type { User } from './user.js';

const digest = (token: string): Buffer => createHash('sha256').update(token).digest();

@Injectable()
export class UsersService {
  private readonly accounts = DEMO_ACCOUNTS.map(({ user, token }) => ({
    user,
    digest: digest(token),
  }));

  /** Compares with every account in constant time, so that timing tells nothing about a token. */
  findByToken(token: string): User | undefined {
    const given = digest(token);
    let found: User | undefined;
    for (const account of this.accounts) {
      if (timingSafeEqual(account.digest, given)) found = account.user;
    }
    return found;
  }
}
