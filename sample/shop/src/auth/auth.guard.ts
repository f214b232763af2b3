import {
  type CanActivate,
  type ExecutionContext,
  Injectable,
  UnauthorizedException,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import type { ShopRequest } from '../common/shop-request.js';
import { Public } from './auth.decorators.js';
import { UsersService } from './users.service.js';

const BEARER = /^Bearer ([\w.~+/-]+=*)$/i;

@Injectable()
export class AuthGuard implements CanActivate {
  constructor(
    private readonly users: UsersService,
    private readonly reflector: Reflector,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const targets = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride(Public, targets)) return true;
    const http = context.switchToHttp();
    const request = http.getRequest<ShopRequest>();
    const token = BEARER.exec(request.get('authorization') ?? '')?.[1];
    request.user = token === undefined ? undefined : this.users.findByToken(token);
    if (request.user) return true;
    http.getResponse<Response>().setHeader('WWW-Authenticate', 'Bearer realm="shop"');
    throw new UnauthorizedException('Send one of the demo tokens as a bearer token');
  }
}
