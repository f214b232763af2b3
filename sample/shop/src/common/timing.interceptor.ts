import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  Logger,
  type NestInterceptor,
} from '@nestjs/common';
import type { Response } from 'express';
import { finalize, type Observable } from 'rxjs';
import type { ShopRequest } from './shop-request.js';

/** Logs who called which handler and how long it took. */
@Injectable()
export class TimingInterceptor implements NestInterceptor {
  private readonly logger = new Logger('Http');

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const started = performance.now();
    const http = context.switchToHttp();
    const { method, path, user, requestId } = http.getRequest<ShopRequest>();
    http.getResponse<Response>().setHeader('x-served-by', 'shop');
    return next.handle().pipe(
      finalize(() => {
        const duration = (performance.now() - started).toFixed(1);
        const caller = user?.name ?? 'anonymous';
        this.logger.log(`${method} ${path} by ${caller} in ${duration} ms (${requestId})`);
      }),
    );
  }
}
