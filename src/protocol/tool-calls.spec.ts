import type { Tool } from '../catalog/tool.js';
import type { CallRequest } from '../dispatch/dispatcher.js';
import { DEFAULTS } from '../mcp.options.js';
import type { Policy } from '../policy/policy.js';
import type { CallOutcome } from '../result/call-outcome.js';
import type { Answer, Channel } from './channel.js';
import type { Codec } from './codec.js';
import type { RequestExchange } from './exchange.js';
import type { InputPort } from './input-port.js';
import { ToolCalls } from './tool-calls.js';
import type { ToolContext } from './tool-context.js';

const TOOL = { name: 'get_order', input: {}, timeoutMs: 50 } as unknown as Tool;
const SUCCESS: Extract<CallOutcome, { kind: 'answered' }> = {
  kind: 'answered',
  answer: {
    status: 200,
    contentType: 'application/json',
    location: undefined,
    body: Buffer.from('{"order":"secret"}'),
    url: '/',
  },
};
/** A call that the tool guards let go on. */
const admitted: Parts['run'] = (request, done) =>
  void (request.authorize?.({}) ?? Promise.resolve(true)).then(() => done(SUCCESS));
const fails = (message: string) => (): never => {
  throw new Error(message);
};

interface Parts {
  readonly run?: (request: CallRequest, done: (outcome: CallOutcome) => void) => void;
  readonly call?: Codec['call'];
  readonly log?: ToolContext['log'];
  readonly policy?: Partial<Policy>;
  readonly input?: Partial<InputPort>;
}

/** Runs one call with fakes around it. @returns what was answered, logged and watched */
async function calling(parts: Parts): Promise<{ body: string; logged: string[]; ended: number[] }> {
  const answers: Answer[] = [];
  const logged: string[] = [];
  const ended: number[] = [];
  const context = {
    options: DEFAULTS,
    catalog: { find: () => TOOL },
    serve: () => ({
      run: parts.run ?? admitted,
      result: { checkOutput: undefined, newRef: () => 'f00' },
    }),
    log:
      parts.log ??
      ((_tool: unknown, message: string, error: unknown) =>
        void logged.push(`${message}: ${(error as Error).message}`)),
    policy: parts.policy,
    watcher: { begin: () => ({ end: ({ status }: { status: number }) => ended.push(status) }) },
  } as unknown as ToolContext;
  const exchange = {
    message: {
      id: 7,
      method: 'tools/call',
      params: { name: 'get_order' },
      unfaithfulNumbers: [],
    },
    request: { raw: { headers: {} }, http: {}, bytesIn: 1, principal: () => 'ann' },
    channel: {
      canStream: false,
      answer: (answer) => void answers.push(answer),
    } as Partial<Channel>,
  } as unknown as RequestExchange;
  const codec = {
    revision: '2025-11-25',
    call: parts.call ?? ((_tool, { content }) => `{"content":${content}}`),
  } as Codec;
  const input = { capabilities: {}, concludes: false, conclude: () => undefined, ...parts.input };
  new ToolCalls(context).start(exchange, codec, input as InputPort);
  await new Promise((resolve) => setImmediate(resolve));
  expect(answers).toHaveLength(1);
  return { body: (answers[0] as Answer).body.map(String).join(''), logged, ended };
}

const passing: Partial<Policy> = {
  mayCall: () => Promise.resolve(true),
  judgesResults: true,
  release: (_call, made) => Promise.resolve(made),
};
const refusal = {
  result: { isError: true, content: '["refused"]', structured: undefined, ref: undefined },
  status: 403,
  carriesSuccess: false,
};

describe('ToolCalls', () => {
  it('answers with what the policy releases', async () => {
    expect((await calling({ policy: passing })).body).toContain('secret');
    const policy = { ...passing, release: () => Promise.resolve(refusal) };
    const { body, ended } = await calling({ policy });
    expect(body).not.toContain('secret');
    expect(body).toContain('refused');
    expect(ended).toEqual([403]);
  });

  it('tells what is wrong with arguments only to who may call', async () => {
    const unwritable: Parts['run'] = (_request, done) =>
      done({ kind: 'unwritable', problems: ['path.secret is required'] });
    const admit: Policy['admit'] = (_call, made) => Promise.resolve(made);
    const refuse: Policy['admit'] = () => Promise.resolve(refusal);
    for (const judgesResults of [true, false]) {
      const policy = { ...passing, judgesResults };
      expect((await calling({ run: unwritable, policy: { ...policy, admit } })).body).toContain(
        'secret',
      );
      const { body } = await calling({ run: unwritable, policy: { ...policy, admit: refuse } });
      expect(body).not.toContain('secret');
      expect(body).toContain('refused');
    }
  });

  it("leaves the application's own refusal as it is", async () => {
    const own: CallOutcome = {
      ...SUCCESS,
      answer: { ...SUCCESS.answer, status: 403, body: Buffer.from('{"own":403}') },
    };
    const run: Parts['run'] = (request, done) => void request.authorize?.({}).then(() => done(own));
    const policy: Partial<Policy> = {
      judgesResults: true,
      mayCall: () => Promise.resolve(false),
      release: () => Promise.resolve(refusal),
    };
    expect((await calling({ run, policy })).body).toContain('own');
    expect((await calling({ run: (_request, done) => done(SUCCESS), policy })).body).toContain(
      'refused',
    );
  });

  it.each<[string, Parts, string]>([
    ['no result can be written', { call: fails('codec') }, 'codec'],
    ['no judged result can be written', { call: fails('codec'), policy: passing }, 'codec'],
    [
      'the policy fails',
      { policy: { ...passing, release: () => Promise.reject(new Error('policy')) } },
      'policy',
    ],
    ['nothing can be asked', { input: { concludes: true, conclude: fails('input') } }, 'input'],
  ])('tells nothing but a reference where %s', async (_title, parts, cause) => {
    const { body, logged, ended } = await calling(parts);
    const { id, error } = JSON.parse(body) as {
      id: number;
      error: { code: number; data: { ref: string } };
    };
    expect({ id, code: error.code }).toEqual({ id: 7, code: -32603 });
    expect(body).not.toContain('secret');
    expect(logged).toEqual([
      `no answer could be made (ref ${error.data.ref}); principal ann, request 7: ${cause}`,
    ]);
    expect(ended).toEqual([500]);
  });

  it('answers with an error result where the call cannot begin', async () => {
    const { body, logged } = await calling({ run: fails('writer') });
    expect(body).toContain('Internal server error');
    expect(logged).toEqual(['internal error (ref f00); principal ann, request 7: writer']);
  });

  it('answers even where the log fails', async () => {
    const { body } = await calling({ run: fails('writer'), log: fails('disk full') });
    expect(body).toContain('-32603');
  });

  it.each([true, false])(
    'asks a client for input when the policy allows it: %s',
    async (allowed) => {
      let concluded = 0;
      const release: Policy['release'] = (_call, made) => Promise.resolve(allowed ? made : refusal);
      const conclude: InputPort['conclude'] = ({ channel }) => {
        concluded++;
        channel.answer({ status: 200, body: ['asked'] });
      };
      const policy = { ...passing, release };
      const { body, ended } = await calling({ policy, input: { concludes: true, conclude } });
      expect(concluded).toBe(allowed ? 1 : 0);
      expect(body).toContain(allowed ? 'asked' : 'refused');
      expect(body).not.toContain('secret');
      expect(ended).toEqual([allowed ? 428 : 403]);
    },
  );

  it('asks the policy about a question before the client is asked it', async () => {
    let asked = 0;
    const ask: InputPort['ask'] = () => Promise.resolve({ q: { asked: ++asked } });
    for (const recheck of [() => Promise.resolve(), () => Promise.reject(new Error('no'))]) {
      const run: Parts['run'] = (request, done) =>
        void request.input.ask({}).then(
          () => done(SUCCESS),
          () => done({ kind: 'other-route' }),
        );
      await calling({ run, policy: { ...passing, recheck }, input: { ask } });
    }
    expect(asked).toBe(1);
  });
});
