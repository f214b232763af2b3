import { Controller, Get, HttpCode, Module, Param, Post } from '@nestjs/common';
import { HealthCheck, HealthCheckService, TerminusModule } from '@nestjs/terminus';
import { Redis } from 'ioredis';
import { McpHealthIndicator, McpModule, McpTool, McpToolCatalog } from 'nestjs-mcp-routes';
import { McpRedisEventBus, McpRedisSessionStore } from 'nestjs-mcp-routes/redis';
import { setTimeout as delay } from 'node:timers/promises';

/** Where the runs of operations are counted: outside of what fails. */
const LEDGER = process.env['LEDGER_URL'] ?? '';

@Controller('orders')
class OrdersController {
  @McpTool({ name: 'place_order', description: 'Places an order, once for each operation.' })
  @Post(':operation')
  @HttpCode(200)
  async place(@Param('operation') operation: string): Promise<object> {
    await delay(Math.random() * 20);
    return run(operation);
  }

  @McpTool({ name: 'place_large_order', description: 'Places an order, which takes a while.' })
  @Post('large/:operation')
  @HttpCode(200)
  async placeLarge(@Param('operation') operation: string): Promise<object> {
    await delay(2_500);
    return run(operation);
  }

  @McpTool({ name: 'refund_order', description: 'Switched off and on.' })
  @Post('refunds/:operation')
  refund(@Param('operation') operation: string): object {
    return { operation };
  }
}

@Controller()
class OperationsController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly mcp: McpHealthIndicator,
    private readonly catalog: McpToolCatalog,
  ) {}

  @Get('ready')
  @HealthCheck()
  ready(): Promise<object> {
    return this.health.check([() => this.mcp.check()]);
  }

  @Post('refunds/:state')
  switch(@Param('state') state: string): void {
    if (state === 'on') this.catalog.enable('refund_order');
    else this.catalog.disable('refund_order');
  }
}

const redis = new Redis(process.env['REDIS_URL'] ?? '');
redis.on('error', () => undefined);

@Module({
  imports: [
    TerminusModule.forRoot({ logger: false }),
    McpModule.forRoot({
      name: 'cluster',
      secret: process.env['CLUSTER_SECRET'] ?? '',
      pageSize: 2,
      sessions: { store: new McpRedisSessionStore(redis), bus: new McpRedisEventBus(redis) },
    }),
  ],
  controllers: [OrdersController, OperationsController],
})
export class AppModule {}

async function run(operation: string): Promise<object> {
  await fetch(`${LEDGER}/${operation}`, { method: 'POST' });
  return { operation };
}
