import { Body, Controller, Get, NotFoundException, Param, Post } from '@nestjs/common';
import { IsInt, IsString, Min } from 'class-validator';
import { McpTool } from 'nestjs-mcp-routes';
import type { McpToolClient } from 'nestjs-mcp-routes/client';
import { listDigests } from '../../src/client/list-digests.js';
import { FixtureApp } from '../support/fixture-app.js';
import { PLATFORMS } from '../support/platforms.js';
import { clientOf, closeClients, descriptor, ended } from './client.fixture.js';

const REVISIONS = ['auto', '2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'] as const;
const SETUPS = PLATFORMS.flatMap((platform) =>
  ([false, {}] as const).flatMap((sessions) =>
    REVISIONS.map((revision) => ({
      title: `${platform.name}, ${sessions === false ? 'without' : 'with'} sessions, ${revision}`,
      platform,
      sessions,
      revision,
    })),
  ),
);

class PayDto {
  @IsInt() @Min(1) amount!: number;
  @IsString() operationId!: string;
}

const paid = new Map<string, number>();

@Controller('payments')
class PaymentsController {
  @Post()
  @McpTool({ name: 'pay', headers: { Operation: 'body.operationId' } })
  pay(@Body() { amount, operationId }: PayDto): object {
    if (amount === 13) throw new NotFoundException('no such account');
    paid.set(operationId, (paid.get(operationId) ?? 0) + 1);
    return { amount };
  }

  @Get(':id')
  @McpTool('payment_status')
  status(@Param('id') id: string): object {
    return {
      operation_id: id,
      state: paid.has(id) ? 'succeeded' : 'unknown',
      output: { times: paid.get(id) },
    };
  }
}

describe.each(SETUPS)(
  'client to this package over sockets: $title',
  ({ platform, sessions, revision }) => {
    let app: FixtureApp;
    let client: McpToolClient;
    beforeAll(async () => {
      app = await FixtureApp.start({
        controllers: [PaymentsController],
        platform,
        mcp: { sessions },
      });
      const endpoint = `${app.url}${app.path}`;
      const { tools } = await listDigests(endpoint, { revision, allowInsecureLoopback: true });
      const pin = (tool: string) => {
        const inputSchemaDigest = tools.find(({ name }) => name === tool)?.inputSchemaDigest ?? '';
        return { name: tool, inputSchemaDigest };
      };
      client = await clientOf({
        id: 'bank',
        endpoint,
        revision,
        tools: [{ ...pin('pay'), operationId: '/body/operationId' }],
        reconcile: { ...pin('payment_status'), operationId: '/path/id' },
      });
      paid.clear();
    });
    afterAll(async () => {
      await closeClients();
      await app.close();
    });

    it('executes once and reconciles', async () => {
      const one = descriptor('pay', { body: { amount: 5 } });
      expect(await ended(client.reconcile(one, 'op-1'))).toMatchObject({ outcome: 'uncertain' });
      const { outcome, output } = await ended(client.execute(one, 'op-1'));
      expect(outcome).toBe('success');
      expect(output?.content).toEqual([{ type: 'text', text: '{"amount":5}' }]);
      if (revision !== '2025-03-26') {
        expect(output?.structuredContent).toEqual({ amount: 5 });
        // 2025-03-26 has no structured content, and nothing else is believed.
        expect(await ended(client.reconcile(one, 'op-1'))).toMatchObject({
          outcome: 'success',
          output: { structuredContent: { times: 1 } },
        });
      }
      expect([...paid]).toEqual([['op-1', 1]]);
    });

    it("an error of the application's is terminal, with its own text", async () => {
      const { outcome, error } = await ended(
        client.execute(descriptor('pay', { body: { amount: 13 } }), 'op-13'),
      );
      expect(outcome).toBe('terminal');
      expect(JSON.stringify(error)).toContain('no such account');
      expect(paid.has('op-13')).toBe(false);
    });

    it('arguments that do not fit are refused here', async () => {
      const one = descriptor('pay', { body: { amount: 0 } });
      expect(await ended(client.execute(one, 'op-2'))).toMatchObject({
        outcome: 'invalid descriptor',
      });
    });
  },
);
