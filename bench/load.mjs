/**
 * @file The load generator, a process of its own. For each order of its parent it keeps one request in flight on every
 * connection, checks every answer, and tells how many came in the measured time.
 */
import { CHECKS } from './lib/checks.mjs';
import { Connection } from './lib/connection.mjs';

process.on('message', (order) => {
  run(order).then(
    (result) => process.send(result),
    (error) => process.send({ failure: error.message }),
  );
});

/**
 * @param order.requests one for each connection; its index plus one is the JSON-RPC id in it
 * @param order.durationMs how long to go on at most; `answers`: how many answers to wait for at most; one of them at least
 * @returns `perSecond`, and `answers`: all of them, those after the time was over too
 */
async function run({ port, requests, check, expected, durationMs, answers = Infinity }) {
  const connections = await Promise.all(requests.map(() => Connection.open(port)));
  const state = { count: 0, stopped: false, limit: answers };
  const start = performance.now();
  const work = Promise.all(
    connections.map((connection, index) => {
      const isRight = checker(CHECKS[check], index + 1, expected);
      return keepBusy(connection, requests[index], isRight, state);
    }),
  );
  await (durationMs === undefined ? work : Promise.race([work, delay(durationMs)]));
  const perSecond = (state.count / (performance.now() - start)) * 1000;
  state.stopped = true;
  await work;
  for (const connection of connections) connection.close();
  return { perSecond, answers: state.count };
}

function keepBusy(connection, request, isRight, state) {
  return new Promise((resolve, reject) => {
    const next = (answer) => {
      if (answer instanceof Error) return reject(answer);
      const problem = isRight(answer);
      if (problem !== undefined) {
        return reject(
          new Error(`a wrong answer, ${problem}: ${answer.body.toString('utf8', 0, 300)}`),
        );
      }
      state.count++;
      if (state.stopped || state.count >= state.limit) return resolve();
      connection.send(request, next);
    };
    connection.send(request, next);
  });
}

/** Bytes that were found right are right again; all others are read. */
function checker(check, id, expected) {
  let right;
  return (answer) => {
    if (answer.status === 200 && right !== undefined && answer.body.equals(right)) return undefined;
    const problem = problemOf(check, answer, id, expected);
    if (problem === undefined) right = Buffer.from(answer.body);
    return problem;
  };
}

function problemOf(check, answer, id, expected) {
  try {
    return check(answer, id, expected);
  } catch (error) {
    return `unreadable (${error.message})`;
  }
}

function delay(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
