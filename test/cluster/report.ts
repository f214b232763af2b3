import type { Made } from './traffic.js';

/** A time in which calls may be refused, since something was taken away. */
export interface FaultWindow {
  readonly name: string;
  readonly begun: number;
  readonly ended: number;
}

/** Prints what came of the calls. @returns whether all is as it must be */
export function report(
  made: readonly Made[],
  runs: ReadonlyMap<string, number>,
  windows: readonly FaultWindow[],
): boolean {
  const of = (kind: Made['outcome']['kind']): Made[] =>
    made.filter(({ outcome }) => outcome.kind === kind);
  const [right, refused, uncertain] = [of('right'), of('refused'), of('uncertain')];
  const ran = (one: Made): number => runs.get(one.operation) ?? 0;
  const wrong = [
    ...of('wrong'),
    ...right.filter((one) => ran(one) === 0),
    ...refused.filter((one) => ran(one) > 0),
  ];
  const twice = made.filter((one) => ran(one) > 1);
  const isIn = (one: Made) => (window: FaultWindow) =>
    one.begun <= window.ended && one.ended >= window.begun;
  const outside = [...refused, ...uncertain].filter((one) => !windows.some(isIn(one)));
  for (const window of windows) {
    const within = (list: Made[]): Made[] => list.filter((one) => isIn(one)(window));
    const seconds = ((window.ended - window.begun) / 1_000).toFixed(1);
    console.log(
      `  ${window.name}: ${seconds} s, refused ${byReason(within(refused))}, uncertain ${byReason(within(uncertain))}`,
    );
  }
  for (const one of [...wrong, ...outside].slice(0, 10)) console.log('  unexpected:', one);
  const eras = [...new Set(made.map(({ era }) => era))].map(
    (era) => `${era} ${made.filter((one) => one.era === era).length}`,
  );
  console.log(`calls made: ${made.length} (${eras.join(', ')})`);
  console.log(`answered right: ${right.length}`);
  console.log(`refused: ${byReason(refused)}; outside of the fault windows: ${outside.length}`);
  const done = uncertain.filter((one) => ran(one) === 1).length;
  console.log(`uncertain: ${byReason(uncertain)}; of these ${done} ran`);
  console.log(
    `answered wrongly: ${wrong.length}; without an end: ${of('endless').length}; run twice: ${twice.length}`,
  );
  return wrong.length + of('endless').length + twice.length + outside.length === 0;
}

function byReason(list: readonly Made[]): string {
  const counts = new Map<string, number>();
  for (const { outcome } of list) {
    const reason = 'reason' in outcome ? outcome.reason : outcome.kind;
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  const reasons = [...counts].map(([reason, count]) => `${reason}: ${count}`);
  return reasons.length === 0 ? '0' : `${list.length} (${reasons.join(', ')})`;
}
