import { type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type McpJwtAuth, McpJwtGuard } from 'nestjs-mcp-routes/auth';
import { Public } from '../auth/auth.decorators.js';
import { DEMO_ACCOUNTS } from '../auth/demo-accounts.js';
import type { User } from '../auth/user.js';
import { SHOP_RESOURCE } from './shop-resource.js';

/** Takes the tokens of the authorization server in place of the demo tokens, for the endpoint and for every route. */
@Injectable()
export class OAuthGuard extends McpJwtGuard {
  constructor(private readonly reflector: Reflector) {
    const { url, issuer } = SHOP_RESOURCE;
    super({ issuers: [{ issuer, jwksUrl: `${issuer}/jwks` }], audience: url });
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const targets = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride(Public, targets)) return true;
    return super.canActivate(context);
  }

  /** `bob` is the admin here as well; whoever else signs in works in support. */
  protected override userOf({ sub = 'somebody' }: McpJwtAuth): User {
    const account = DEMO_ACCOUNTS.find(({ user }) => user.name === sub);
    return account?.user ?? { name: sub, role: 'support' };
  }
}
