import {
  textOf,
  type CallResult,
  type FixtureApp,
  type HttpAnswer,
} from '../support/fixture-app.js';
import type { ParityCase } from './parity.row.js';

function headersOf({ as = 'ann', headers = {} }: ParityCase): Record<string, string> {
  return as === 'nobody' ? { ...headers } : { authorization: `Bearer ${as}`, ...headers };
}

/** What a request over HTTP must look like as a tool result. */
function expected({ status, text, headers }: HttpAnswer): { isError: boolean; text: string } {
  if (status >= 300 && status < 400) return { isError: false, text: headers.get('location') ?? '' };
  return { isError: status >= 400, text };
}

async function run(
  app: FixtureApp,
  row: ParityCase,
): Promise<{ http: HttpAnswer; result: CallResult }> {
  const headers = headersOf(row);
  const [method, path, body] = row.http;
  const request = { headers: { ...headers, ...row.httpHeaders } };
  const http = await app.http(method, path, body === undefined ? request : { ...request, body });
  return { http, result: await app.call(row.tool, row.args, headers) };
}

/** @returns what is wrong with a row, nothing when it is green */
export async function judge(app: FixtureApp, row: ParityCase): Promise<string[]> {
  const { http, result } = await run(app, row);
  const wrong: string[] = [];
  const target = expected(http);
  if (http.status !== row.status) wrong.push(`HTTP answered ${http.status}, not ${row.status}`);
  if (!target.text.includes(row.holds))
    wrong.push(`the body ${target.text} does not hold ${row.holds}`);
  if (row.differs !== undefined) return [...wrong, ...judgeDifference(row, result, target.text)];
  if ((result.isError === true) !== target.isError)
    wrong.push(`isError is ${String(result.isError)}`);
  if (textOf(result) !== target.text)
    wrong.push(`the tool said ${textOf(result)}, HTTP ${target.text}`);
  return wrong;
}

/** A difference is as strict as parity: the tool says what the row tells, and not what HTTP does. */
function judgeDifference(
  { toolSays = '', toolSucceeds = false }: ParityCase,
  result: CallResult,
  http: string,
): string[] {
  const wrong: string[] = [];
  const text = textOf(result);
  if ((result.isError !== true) !== toolSucceeds) {
    wrong.push(`isError is ${String(result.isError)}`);
  }
  if (toolSays === '' || !text.includes(toolSays)) wrong.push(`the tool said ${text}`);
  if (text === http) wrong.push('there is no difference any more: take it out of the row');
  return wrong;
}
