import {
  Body,
  Controller,
  ForbiddenException,
  Get,
  HttpCode,
  HttpException,
  Injectable,
  NotFoundException,
  Param,
  Post,
  Scope,
  SetMetadata,
  UnauthorizedException,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { Inject } from '@nestjs/common';
import { Reflector, REQUEST } from '@nestjs/core';
import { ApiOkResponse, ApiProperty } from '@nestjs/swagger';
import { IsString } from 'class-validator';
import { of, type Observable } from 'rxjs';
import { McpTool } from '../../src/index.js';

export const Roles = (...roles: string[]): MethodDecorator => SetMetadata('roles', roles);

/** Who has which role now: tests take roles away while a call runs. */
@Injectable()
export class Directory {
  readonly roles = new Map([
    ['ann', 'admin'],
    ['bob', 'user'],
  ]);
  /** What a slow route waits for. */
  release: () => void = () => undefined;
  /** Called when a slow route begins to wait. */
  waits: () => void = () => undefined;
  readonly ran: string[] = [];
}

export interface User {
  readonly sub: string;
}
interface WithUser {
  user?: User;
  headers: Record<string, string | undefined>;
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
}
export const requestOf = (context: ExecutionContext): WithUser =>
  context.switchToHttp().getRequest<WithUser>();

/** The endpoint's own guard: a name in a header is good enough here. */
@Injectable()
export class SignedIn implements CanActivate {
  constructor(private readonly directory: Directory) {}
  canActivate(context: ExecutionContext): boolean {
    const request = requestOf(context);
    const sub = request.headers['x-user'];
    if (sub === undefined || !this.directory.roles.has(sub))
      throw new UnauthorizedException('sign in');
    request.user = { sub };
    return true;
  }
}

/** An application's roles guard as anybody writes it, used unchanged as a tool guard. */
@Injectable()
export class RolesGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly directory: Directory,
  ) {}
  canActivate(context: ExecutionContext): boolean {
    const roles = this.reflector.getAllAndOverride<string[] | undefined>('roles', [
      context.getHandler(),
      context.getClass(),
    ]);
    return (
      roles === undefined ||
      roles.includes(this.directory.roles.get(requestOf(context).user?.sub ?? '') ?? '')
    );
  }
}

/** What a guard can do, by the name of the tool. */
const BEHAVIOURS: Readonly<Record<string, () => boolean | Promise<boolean> | Observable<boolean>>> =
  {
    later: () => Promise.resolve(true),
    laterNo: () => Promise.resolve(false),
    observed: () => of(true),
    observedNo: () => of(false),
    throws401: () => {
      throw new UnauthorizedException();
    },
    throws403: () => {
      throw new ForbiddenException();
    },
    throws404: () => {
      throw new NotFoundException();
    },
    throws500: () => {
      throw new Error('the database is at 10.0.0.7');
    },
    throws503: () => {
      throw new HttpException('later', 503);
    },
    throwsNull: () => {
      throw null as unknown as Error;
    },
    throwsText: () => {
      throw 'secret text' as unknown as Error;
    },
    truthy: () => 'yes' as unknown as boolean,
    hangs: () => new Promise<boolean>(() => undefined),
  };

/** Behaves as its constructor says, for one tool; allows the others. */
export class BehavingGuard implements CanActivate {
  constructor(
    private readonly behaviour: string,
    private readonly method: string = 'open',
  ) {}
  canActivate(context: ExecutionContext): boolean | Promise<boolean> | Observable<boolean> {
    if (context.getHandler().name !== this.method) return true;
    return BEHAVIOURS[this.behaviour]?.() ?? true;
  }
}

/** Built anew for each request. */
@Injectable({ scope: Scope.REQUEST })
export class RequestScopedGuard implements CanActivate {
  static built = 0;
  constructor(@Inject(REQUEST) private readonly request: object) {
    RequestScopedGuard.built++;
  }
  canActivate(): boolean {
    return (this.request as { headers: Record<string, string> }).headers['x-user'] === 'ann';
  }
}

/** Remembers what it was shown. */
export class RecordingGuard implements CanActivate {
  readonly seen: { tool: string; params: unknown; query: unknown; body: unknown; user: unknown }[] =
    [];
  canActivate(context: ExecutionContext): boolean {
    const { params, query, body, user } = requestOf(context);
    this.seen.push({ tool: context.getHandler().name, params, query, body, user });
    return true;
  }
}

class NoteDto {
  @IsString() text!: string;
}
class PersonDto {
  @ApiProperty() name!: string;
  @ApiProperty() email!: string;
}

@Controller('things')
export class ThingsController {
  constructor(private readonly directory: Directory) {}

  @McpTool('open') @Get('open') open(): object {
    this.directory.ran.push('open');
    return { open: true };
  }
  @McpTool('admin_only') @Roles('admin') @Get('admin') adminOnly(): object {
    this.directory.ran.push('adminOnly');
    return { secret: 'of the admin' };
  }
  @McpTool('add_note') @Post(':id/notes') addNote(
    @Param('id') id: string,
    @Body() body: NoteDto,
  ): object {
    return { id, ...body };
  }
  @McpTool('slow') @Roles('admin', 'user') @Get('slow') async slow(): Promise<object> {
    await new Promise<void>((resolve) => {
      this.directory.release = resolve;
      this.directory.waits();
    });
    return { slow: 'secret of the slow' };
  }
  @McpTool('fails') @Get('fails') fails(): never {
    throw new NotFoundException('no such thing');
  }
  @McpTool('person') @ApiOkResponse({ type: PersonDto }) @Get('person') person(): PersonDto {
    return { name: 'Ann', email: 'ann@example.com' };
  }
  @McpTool('misfit') @ApiOkResponse({ type: PersonDto }) @Get('misfit') misfit(): object {
    return { name: 7, email: 'leak@example.com' };
  }
  @McpTool('nothing') @HttpCode(204) @Get('nothing') nothing(): void {}
}
