/** @file Every sample judged by the tool's schemas and by the real route over HTTP. `npm run corpus` prints the report. */
import { writeFileSync } from 'node:fs';
import { allSamples, Corpus, hashOf, type Verdict } from './corpus/corpus.js';
import { ALTERNATIVES, LOOSE, reasonFor, report, sorted } from './corpus/report.js';
import { misfitsOf, REVISIONS } from './official-tools.js';

/** A change of the samples is a change of this line. */
const FROZEN = 'cf05705c199101a98513e65c1dcaa80a15fccb186f0f722b84f89f20934fa38f';

describe('schema: the differential corpus', () => {
  const samples = allSamples();
  let corpus: Corpus;
  let verdicts: readonly Verdict[];
  beforeAll(async () => {
    corpus = await Corpus.start();
    verdicts = await corpus.judge(samples);
    const target = process.env['MCP_CORPUS_REPORT'];
    if (target !== undefined) writeFileSync(target, `${report(verdicts)}\n`);
  }, 120_000);
  afterAll(() => corpus.close());

  it('is large enough, and the one that was frozen', () => {
    expect(new Set(samples.map(({ tool }) => tool)).size).toBeGreaterThanOrEqual(60);
    expect(samples.length).toBeGreaterThanOrEqual(400);
    expect(hashOf(samples)).toBe(FROZEN);
  });

  it('has a sample of each set that its route takes, and none that breaks a route', () => {
    const whole = verdicts.filter(({ member }) => member === '');
    expect(whole.filter(({ isTaken }) => !isTaken)).toEqual([]);
    expect(whole.filter(({ fitsShown }) => !fitsShown)).toEqual([]);
    expect(verdicts.filter(({ status }) => status !== 400 && status >= 300)).toEqual([]);
  });

  it('has no sample that a route takes and its tool refuses', () => {
    expect(sorted(verdicts).wronglyRefused).toEqual([]);
  });

  it('has no sample that is shown to a model and that the check refuses', () => {
    expect(sorted(verdicts).shownOnly).toEqual([]);
  });

  it('lets less than 8 % through that the route refuses, each for a reason', () => {
    const { loose } = sorted(verdicts);
    expect(loose.length / verdicts.length).toBeLessThan(0.08);
    expect(loose.filter((one) => reasonFor(LOOSE, one) === undefined)).toEqual([]);
  });

  it.each(REVISIONS)('emits tools that fit the official schema of %s', (revision) => {
    expect(misfitsOf(corpus.tools, revision)).toEqual([]);
  });

  it('hides a spelling from models only for a reason', () => {
    const { alternatives } = sorted(verdicts);
    expect(alternatives.filter((one) => reasonFor(ALTERNATIVES, one) === undefined)).toEqual([]);
  });
});
