/** @file What a right answer is. Each check gives a sentence on what is wrong, `undefined` when nothing is. */
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { ORDER } from './order.mjs';

export const CHECKS = {
  order: ({ status, body }) =>
    status !== 200
      ? `status ${status}`
      : isDeepStrictEqual(JSON.parse(body), ORDER)
        ? undefined
        : 'not the order',
  toolResult: ({ status, body }, id) => {
    if (status !== 200) return `status ${status}`;
    const { id: answered, result } = readMessage(body);
    if (answered !== id) return `the id is ${answered}, not ${id}`;
    if (result === undefined || result.isError) return 'no result, or an error';
    if (!isDeepStrictEqual(JSON.parse(result.content[0].text), ORDER)) return 'not the order';
    const { structuredContent = ORDER } = result;
    return isDeepStrictEqual(structuredContent, ORDER) ? undefined : 'not the order as structure';
  },
  list: ({ status, body }, id, { tools }) => {
    if (status !== 200) return `status ${status}`;
    const { id: answered, result } = readMessage(body);
    if (answered !== id) return `the id is ${answered}, not ${id}`;
    return result.tools.length === tools ? undefined : `${result.tools.length} tools, not ${tools}`;
  },
  bytes: ({ status, body }, _id, { sha256 }) =>
    status === 200 && digest(body) === sha256 ? undefined : 'other bytes',
  accepted: ({ status }) => (status === 200 || status === 202 ? undefined : `status ${status}`),
};

export function digest(body) {
  return createHash('sha256').update(body).digest('hex');
}

/** The JSON-RPC message of a body that is JSON or a stream with one event. */
export function readMessage(body) {
  const text = body.toString('utf8');
  if (text.startsWith('{')) return JSON.parse(text);
  const data = text
    .split('\n')
    .filter((line) => line.startsWith('data:') && line.trim().length > 'data:'.length);
  return JSON.parse(data.at(-1).slice('data:'.length));
}
