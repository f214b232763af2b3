import {
  type ArgumentsHost,
  Catch,
  type ExceptionFilter,
  HttpException,
  HttpStatus,
  Logger,
} from '@nestjs/common';
import type { Response } from 'express';
import type { ShopRequest } from './shop-request.js';

/** The body of every answer of 400 and above. */
export interface ErrorEnvelope {
  error: { code: string; message: string; details?: unknown };
  requestId?: string;
  path: string;
}

/** Writes every refusal and failure in one form. What went wrong inside goes to the log only. */
@Catch()
export class ApiExceptionFilter implements ExceptionFilter {
  private readonly logger = new Logger('Errors');

  catch(exception: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<ShopRequest>();
    const response = http.getResponse<Response>();
    const status = statusOf(exception);
    if (status >= 500) this.log(exception, request);
    if (response.headersSent) {
      response.end();
      return;
    }
    const envelope: ErrorEnvelope = {
      error: errorOf(exception, status),
      requestId: request.requestId,
      // `request.path` is shorter where Nest answers below the global prefix itself.
      path: request.originalUrl.split('?', 1)[0] ?? '',
    };
    response.status(status).json(envelope);
  }

  private log(exception: unknown, { requestId }: ShopRequest): void {
    const detail = exception instanceof Error ? exception.stack : String(exception);
    this.logger.error(`Request ${requestId} failed`, detail);
  }
}

function statusOf(exception: unknown): number {
  if (exception instanceof HttpException) return exception.getStatus();
  // Express and its body parser throw plain errors that carry a status (413, for one).
  const status = (exception as { status?: unknown } | null)?.status;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : 500;
}

function errorOf(exception: unknown, status: number): ErrorEnvelope['error'] {
  const code = HttpStatus[status] ?? 'ERROR';
  if (!(exception instanceof HttpException)) {
    return { code, message: status < 500 ? 'Bad request' : 'Internal server error' };
  }
  const body = exception.getResponse();
  if (typeof body === 'string') return { code, message: body };
  const own = body as { code?: string; message?: string | string[]; details?: unknown };
  if (Array.isArray(own.message)) {
    return { code, message: 'The request is not valid', details: own.message };
  }
  return {
    code: own.code ?? code,
    message: own.message ?? exception.message,
    ...(own.details === undefined ? {} : { details: own.details }),
  };
}
