/**
 * @file The Nest application that all variants on Nest are made of, in the Nest that is handed in: the order lookup behind a
 * global ValidationPipe, guard and interceptor.
 */
import { decorateClass, decorateMethod, decorateProperty } from './decorate.mjs';
import { findOrder, ORDER_ID_PATTERN, TOKEN, TOOL } from './order.mjs';

/** Knows who calls, over HTTP or, in a microservice, from the request behind it. */
export class TokenGuard {
  canActivate(context) {
    const request =
      context.getType() === 'http'
        ? context.switchToHttp().getRequest()
        : context.switchToRpc().getContext().getRawRequest();
    return request.headers.authorization === TOKEN;
  }
}

/** Measures how long a handler takes, as many an application does. */
export class TimingInterceptor {
  /** @param tap the operator of rxjs */
  constructor(tap) {
    this.tap = tap;
    this.slowest = 0;
  }

  intercept(_context, next) {
    const start = performance.now();
    return next.handle().pipe(
      this.tap(() => {
        const elapsed = performance.now() - start;
        if (elapsed > this.slowest) this.slowest = elapsed;
      }),
    );
  }
}

/**
 * @param McpTool the decorator of this package, where the route is a tool
 * @param options of `@Controller()`
 */
export function ordersController({ Controller, Get, Param }, { Matches }, McpTool, options = {}) {
  class OrderParams {}
  decorateProperty(OrderParams, 'id', String, [Matches(ORDER_ID_PATTERN)]);
  class OrdersController {
    find({ id }) {
      return findOrder(id);
    }
  }
  const tool = McpTool === undefined ? [] : [McpTool(TOOL)];
  decorateMethod(OrdersController, 'find', [Get(':id'), ...tool], [[OrderParams, Param()]]);
  return decorateClass(OrdersController, [Controller({ path: 'orders', ...options })]);
}

/** What `main.ts` does. */
export function configure(app, { ValidationPipe }, { tap }) {
  app.useGlobalPipes(new ValidationPipe({ transform: true, whitelist: true }));
  app.useGlobalGuards(new TokenGuard());
  app.useGlobalInterceptors(new TimingInterceptor(tap));
}
