import {
  BadRequestException,
  Injectable,
  Logger,
  ServiceUnavailableException,
  UnauthorizedException,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { McpSetupError } from '../mcp.errors.js';
import { setHeader, timesSent, type GuardedRequest } from './guarded-request.js';
import { JWT_DEFAULTS, jwtProblems, type McpJwtOptions } from './jwt-options.js';
import { JwtVerifier, type McpJwtAuth } from './jwt-verifier.js';
import { KeysUnavailable } from './key-set.js';

/** The longest token that is looked at, in characters. */
const MAX_TOKEN_LENGTH = 8_192;

/** RFC 6750, section 2.1. */
const BEARER = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i;

/**
 * Lets in who has a good bearer token, and leaves who that is on `request.auth` and `request.user`. For the endpoint (option
 * `guards`) and for the application's routes alike: a tool call carries the token over to its route.
 *
 * @example
 * const jwt = new McpJwtGuard({
 *   issuers: [{ issuer: 'https://login.example.com', jwksUrl: 'https://login.example.com/jwks' }],
 *   audience: 'https://api.example.com/mcp',
 * });
 */
@Injectable()
export class McpJwtGuard implements CanActivate {
  private readonly logger = new Logger('McpJwtGuard');
  private readonly verifier: JwtVerifier;

  /** @throws McpSetupError for all that is wrong with the options */
  constructor(options: McpJwtOptions) {
    const problems = jwtProblems(options);
    if (problems.length > 0) throw McpSetupError.create(problems);
    this.verifier = new JwtVerifier({ ...JWT_DEFAULTS, ...options });
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (context.getType() !== 'http') return false;
    const request = context.switchToHttp().getRequest<GuardedRequest>();
    const auth = await this.authenticate(this.tokenOf(request, context), context);
    const user = await this.userOf(auth);
    request.auth = auth;
    request.user = user;
    return true;
  }

  /** What `request.user` is. Override it to look a user up. Default: the claims of the token. */
  protected userOf(auth: McpJwtAuth): unknown {
    return auth.claims;
  }

  /** Only from the header, never from the query or the body (2025-11-25, basic/authorization, "Token Requirements"). */
  private tokenOf(request: GuardedRequest, context: ExecutionContext): string {
    const header = request.headers.authorization ?? '';
    if (timesSent(request, 'authorization') > 1) {
      throw new BadRequestException('Send one Authorization header');
    }
    if (!/^bearer( |$)/i.test(header)) {
      setHeader(context, 'WWW-Authenticate', 'Bearer');
      throw new UnauthorizedException('A bearer token is needed');
    }
    const token = BEARER.exec(header.slice(0, MAX_TOKEN_LENGTH + 'Bearer '.length + 1))?.[1];
    if (token === undefined || token.length > MAX_TOKEN_LENGTH) {
      return this.refuse(context, 'it is too long, or no token');
    }
    return token;
  }

  private async authenticate(token: string, context: ExecutionContext): Promise<McpJwtAuth> {
    try {
      return await this.verifier.verify(token);
    } catch (error) {
      if (error instanceof KeysUnavailable) {
        throw new ServiceUnavailableException('Tokens cannot be checked now');
      }
      return this.refuse(context, error instanceof Error ? error.message : String(error));
    }
  }

  /** The caller is not told what is wrong with a token, which is between its client and the authorization server. */
  private refuse(context: ExecutionContext, reason: string): never {
    this.logger.debug(`Refused a token: ${reason}`);
    setHeader(context, 'WWW-Authenticate', 'Bearer error="invalid_token"');
    throw new UnauthorizedException('The bearer token is not valid');
  }
}
