import {
  Controller,
  Get,
  Injectable,
  Param,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { McpTool } from '../../src/index.js';
import { FixtureApp, textOf } from '../support/fixture-app.js';
import { PLATFORMS } from '../support/platforms.js';
import { RedactEmail } from './example/redact-email.guard.js';
import { Roles, RolesGuard } from './example/roles.guard.js';
import { TenantGuard } from './example/tenant.guard.js';

interface User {
  readonly sub: string;
  readonly role: string;
  readonly tenant: string;
}
const USERS: Readonly<Record<string, User>> = {
  ann: { sub: 'ann', role: 'admin', tenant: 'acme' },
  bob: { sub: 'bob', role: 'clerk', tenant: 'globex' },
};

@Injectable()
class SignedIn implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context
      .switchToHttp()
      .getRequest<{ headers: Record<string, string>; user?: User }>();
    const user = USERS[request.headers['x-user'] ?? ''];
    if (user !== undefined) request.user = user;
    return user !== undefined;
  }
}

@Controller('tenants/:tenant')
class TenantsController {
  @McpTool('members') @Get('members') members(@Param('tenant') tenant: string): object {
    return { tenant, members: [{ name: 'Ann', email: 'ann@example.com' }] };
  }
  @McpTool('audit_log') @Roles(['admin']) @Get('audit') audit(
    @Param('tenant') tenant: string,
  ): object {
    return { tenant, entries: [] };
  }
}

describe.each(PLATFORMS)('policy on $name: the examples of docs/policy.md', (platform) => {
  let app: FixtureApp;
  const as = (user: string): Record<string, string> => ({ 'x-user': user });
  beforeAll(async () => {
    app = await FixtureApp.start({
      controllers: [TenantsController],
      mcp: {
        guards: [SignedIn],
        toolGuards: [RolesGuard, TenantGuard],
        recheck: true,
        responseGuard: RedactEmail,
      },
      platform,
    });
  });
  afterAll(() => app.close());

  it('roles: each caller sees what its role may call', async () => {
    expect((await app.request('tools/list', {}, as('ann'))).text).toContain('audit_log');
    expect((await app.request('tools/list', {}, as('bob'))).text).not.toContain('audit_log');
    expect((await app.call('audit_log', { path: { tenant: 'globex' } }, as('bob'))).isError).toBe(
      true,
    );
  });

  it('tenants: a call stays with its own', async () => {
    expect(
      (await app.call('members', { path: { tenant: 'acme' } }, as('ann'))).isError,
    ).toBeUndefined();
    const other = await app.call('members', { path: { tenant: 'acme' } }, as('bob'));
    expect(other.isError).toBe(true);
    expect(textOf(other)).not.toContain('Ann');
  });

  it('redaction: no address leaves', async () => {
    const result = await app.call('members', { path: { tenant: 'acme' } }, as('ann'));
    expect(JSON.stringify(result)).not.toContain('ann@example.com');
    expect(result.structuredContent).toEqual({
      tenant: 'acme',
      members: [{ name: 'Ann', email: '[e-mail]' }],
    });
  });
});
