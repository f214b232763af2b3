import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';

interface TenantRequest {
  user?: { tenant?: string };
  params?: { tenant?: string };
}

@Injectable()
export class TenantGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { user, params } = context.switchToHttp().getRequest<TenantRequest>();
    // At a list there are no arguments: the tool is shown. At a call the tenant must be the caller's own.
    return params?.tenant === undefined || params.tenant === user?.tenant;
  }
}
