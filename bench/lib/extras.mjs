/** @file What an application may add around its routes, each under the name that variants ask for it by. */
import { Injectable, Scope } from '@nestjs/common';
import cookieParser from 'cookie-parser';
import session from 'express-session';
import helmet from 'helmet';
import { createWriteStream } from 'node:fs';
import { tap } from 'rxjs';
import { decorateClass } from './decorate.mjs';

class ToolGuard {
  canActivate() {
    return true;
  }
}

class ResponseGuard {
  /** Lets every answer go as it is. */
  check() {}
}

class Audit {
  constructor() {
    this.calls = 0;
  }

  observe() {
    this.calls += 1;
  }
}

/** One line for each request, as most applications write. */
class LogInterceptor {
  constructor() {
    this.log = createWriteStream('/dev/null');
  }

  intercept(context, next) {
    const start = performance.now();
    const { method, url } = context.switchToHttp().getRequest();
    return next.handle().pipe(
      tap(() => {
        const line = { time: Date.now(), method, url, took: performance.now() - start };
        this.log.write(`${JSON.stringify(line)}\n`);
      }),
    );
  }
}

const SESSION = { secret: 'bench', resave: false, saveUninitialized: false };

/** `mcp`: options of the module; `configure`: what `main.ts` does; `controller`: options of `@Controller()`. */
export const EXTRAS = {
  policy: {
    mcp: {
      toolGuards: [injectable(ToolGuard)],
      recheck: true,
      responseGuard: injectable(ResponseGuard),
    },
  },
  audit: { mcp: { observer: injectable(Audit) } },
  middleware: { configure: (app) => app.use(helmet(), cookieParser()) },
  session: { configure: (app) => app.use(session(SESSION)) },
  logging: { configure: (app) => app.useGlobalInterceptors(new LogInterceptor()) },
  'request scope': { controller: { scope: Scope.REQUEST } },
};

function injectable(target) {
  return decorateClass(target, [Injectable()]);
}
