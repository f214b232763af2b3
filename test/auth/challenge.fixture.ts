import {
  Controller,
  Get,
  Injectable,
  Post,
  UnauthorizedException,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { McpTool, type McpModuleOptions, type McpResourceOptions } from '../../src/index.js';

export const RESOURCE: McpResourceOptions = {
  url: 'https://api.example.com/mcp',
  authorizationServers: ['https://login.example.com'],
};
export const METADATA = 'https://api.example.com/.well-known/oauth-protected-resource/mcp';

interface Incoming {
  readonly headers: Record<string, string | undefined>;
  user?: object;
}

/** A user's own guard: whoever says `Bearer <name> <scope>…` is that, with those scopes. */
@Injectable()
export class OwnGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Incoming>();
    const [, sub, ...scopes] = request.headers['authorization']?.split(' ') ?? [];
    if (sub === undefined || sub === 'expired') throw new UnauthorizedException('sign in first');
    request.user = { sub, scope: scopes.join(' ') };
    return true;
  }
}

export class NeverGuard implements CanActivate {
  canActivate(): boolean {
    return false;
  }
}

@Controller('orders')
export class OrdersController {
  static ran: string[] = [];

  @McpTool('open') @Get('open') open(): object {
    OrdersController.ran.push('open');
    return { open: true };
  }
  @McpTool({ name: 'read', scopes: ['orders:read'] }) @Get() read(): object {
    OrdersController.ran.push('read');
    return { orders: [] };
  }
  @McpTool({ name: 'write', scopes: ['orders:read', 'orders:write'] }) @Post() write(): object {
    OrdersController.ran.push('write');
    return { written: true };
  }
  @McpTool({ name: 'never', scopes: ['orders:admin'] })
  @UseGuards(NeverGuard)
  @Post('never')
  never(): object {
    return {};
  }
  @McpTool('unauthorized') @Get('unauthorized') unauthorized(): object {
    throw new UnauthorizedException('the route says so');
  }
}

/** The options of an endpoint that is a resource, behind `OwnGuard`. */
export function protectedBy(
  resource: Partial<McpResourceOptions> = {},
  options: McpModuleOptions = {},
): McpModuleOptions {
  return { guards: [OwnGuard], resource: { ...RESOURCE, ...resource }, ...options };
}

export const bearer = (...words: string[]): Record<string, string> => ({
  authorization: `Bearer ${words.join(' ')}`,
});
