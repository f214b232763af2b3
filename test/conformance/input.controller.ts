import { Body, Controller, HttpCode, HttpException, Post } from '@nestjs/common';
import { IsString } from 'class-validator';
import {
  McpCall,
  McpTool,
  type McpCallContext,
  type McpInputRequests,
  type McpInputResponses,
} from 'nestjs-mcp-routes';
import { DEFAULTS, elicitation, ENUMS, ROOTS, sampling } from './requests.js';

class PromptDto {
  @IsString() prompt!: string;
}
class MessageDto {
  @IsString() message!: string;
}

type Call = McpCallContext | undefined;

/** Over HTTP there is nobody to ask. */
function ask(call: Call, requests: McpInputRequests): Promise<McpInputResponses> {
  if (call === undefined) throw new HttpException('Only a tool call can ask for input.', 422);
  return call.requestInput(requests);
}

const NAME = elicitation('What is your name?', { name: { type: 'string' } }, ['name']);

/** The name, once there is one: what does not fit is asked for again. */
async function nameOf(call: Call): Promise<string> {
  const { user_name: answer } = await ask(call, { user_name: NAME });
  const { name } = (answer?.['content'] ?? {}) as { name?: unknown };
  return typeof name === 'string' ? name : '';
}

/** What the suite calls that asks the client before it answers. */
@Controller('input')
export class InputController {
  @McpTool({ name: 'test_sampling', description: 'Asks the model.' })
  @Post('sampling')
  @HttpCode(200)
  async sampling(@Body() { prompt }: PromptDto, @McpCall() call: Call): Promise<string> {
    const { answer } = await ask(call, { answer: sampling(prompt) });
    return `LLM response: ${JSON.stringify(answer)}`;
  }

  @McpTool({ name: 'test_elicitation', description: 'Asks the user.' })
  @Post('elicitation')
  @HttpCode(200)
  async elicitation(@Body() { message }: MessageDto, @McpCall() call: Call): Promise<string> {
    const properties = { username: { type: 'string' }, email: { type: 'string' } };
    const { answer } = await ask(call, { answer: elicitation(message, properties) });
    return `User response: ${JSON.stringify(answer)}`;
  }

  @McpTool({ name: 'test_elicitation_sep1034_defaults', description: 'Asks with defaults.' })
  @Post('defaults')
  @HttpCode(200)
  async defaults(@McpCall() call: Call): Promise<string> {
    const { answer } = await ask(call, { answer: elicitation('Check these', DEFAULTS) });
    return `Elicitation completed: ${JSON.stringify(answer)}`;
  }

  @McpTool({ name: 'test_elicitation_sep1330_enums', description: 'Asks with choices.' })
  @Post('enums')
  @HttpCode(200)
  async enums(@McpCall() call: Call): Promise<string> {
    const { answer } = await ask(call, { answer: elicitation('Choose', ENUMS) });
    return `Elicitation completed: ${JSON.stringify(answer)}`;
  }

  @McpTool({ name: 'test_missing_capability', description: 'Needs a model.' })
  @Post('missing')
  @HttpCode(200)
  async missing(@McpCall() call: Call): Promise<object> {
    return ask(call, { answer: sampling('Anything') });
  }

  @McpTool({ name: 'test_input_required_result_elicitation', description: 'Asks for a name.' })
  @Post('name')
  @HttpCode(200)
  async name(@McpCall() call: Call): Promise<string> {
    return `Hello, ${await nameOf(call)}!`;
  }

  @McpTool({ name: 'test_input_required_result_sampling', description: 'Asks for a capital.' })
  @Post('capital')
  @HttpCode(200)
  async capital(@McpCall() call: Call): Promise<string> {
    const question = sampling('What is the capital of France?');
    const { capital_question: answer } = await ask(call, { capital_question: question });
    return `The capital: ${JSON.stringify(answer)}`;
  }

  @McpTool({ name: 'test_input_required_result_list_roots', description: 'Asks for roots.' })
  @Post('roots')
  @HttpCode(200)
  async roots(@McpCall() call: Call): Promise<string> {
    const { client_roots: answer } = await ask(call, { client_roots: ROOTS });
    return `The roots: ${JSON.stringify(answer)}`;
  }

  @McpTool({ name: 'test_input_required_result_request_state', description: 'Keeps a state.' })
  @Post('state')
  @HttpCode(200)
  async state(@McpCall() call: Call): Promise<string> {
    await ask(call, { confirm: elicitation('Sure?', { ok: { type: 'boolean' } }, ['ok']) });
    return 'state-ok';
  }

  @McpTool({ name: 'test_input_required_result_multiple_inputs', description: 'Asks for three.' })
  @Post('three')
  @HttpCode(200)
  async three(@McpCall() call: Call): Promise<string> {
    const answers = await ask(call, {
      user_name: NAME,
      greeting: sampling('Write a greeting.'),
      client_roots: ROOTS,
    });
    return `All of it: ${JSON.stringify(answers)}`;
  }

  @McpTool({ name: 'test_input_required_result_multi_round', description: 'Asks twice.' })
  @Post('rounds')
  @HttpCode(200)
  async rounds(@McpCall() call: Call): Promise<string> {
    const { step1 } = await ask(call, {
      step1: elicitation('First', { name: { type: 'string' } }),
    });
    const { step2 } = await ask(call, {
      step2: elicitation('Then', { color: { type: 'string' } }),
    });
    return `Rounds: ${JSON.stringify([step1, step2])}`;
  }

  @McpTool({ name: 'test_input_required_result_tampered_state', description: 'Signs its state.' })
  @Post('tampered')
  @HttpCode(200)
  async tampered(@McpCall() call: Call): Promise<string> {
    await ask(call, { confirm: elicitation('Sure?', { ok: { type: 'boolean' } }) });
    return 'confirmed';
  }

  @McpTool({ name: 'test_input_required_result_capabilities', description: 'Asks what it may.' })
  @Post('capabilities')
  @HttpCode(200)
  async capabilities(@McpCall() call: Call): Promise<string> {
    const may = (kind: string): boolean => Object.hasOwn(call?.clientCapabilities ?? {}, kind);
    const answers = await ask(call, {
      ...(may('elicitation') ? { user_name: NAME } : {}),
      ...(may('sampling') ? { greeting: sampling('Write a greeting.') } : {}),
    });
    return `Answered: ${JSON.stringify(answers)}`;
  }
}
