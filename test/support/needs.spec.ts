import { jest } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { has } from './needs.js';

const ABSENT = '/nowhere/bin/initdb';
const REMEDY = 'apt-get install postgresql. Skipped: agents on PostgreSQL';

describe('what tests need', () => {
  const { CI } = process.env;
  afterEach(() => {
    if (CI === undefined) delete process.env['CI'];
    else process.env['CI'] = CI;
    jest.restoreAllMocks();
  });
  const ask = (files: readonly string[]): { isThere: boolean; told: unknown[] } => {
    const told: unknown[] = [];
    jest.spyOn(console, 'warn').mockImplementation((text: unknown) => void told.push(text));
    return { isThere: has(files, REMEDY), told };
  };

  it('is missed loudly: what is not there, what to do and what is skipped', () => {
    delete process.env['CI'];
    expect(ask([process.execPath, ABSENT])).toEqual({
      isThere: false,
      told: [`SKIPPED, since there is no ${ABSENT}: ${REMEDY}`],
    });
  });

  it('says nothing where it is there', () => {
    delete process.env['CI'];
    expect(ask([process.execPath])).toEqual({ isThere: true, told: [] });
  });

  it('is never skipped where CI runs, so that the test fails there', () => {
    process.env['CI'] = 'true';
    expect(ask([ABSENT])).toEqual({ isThere: true, told: [] });
  });

  it('is installed by .ci/run, PostgreSQL too', async () => {
    const script = await readFile(fileURLToPath(new URL('../../.ci/run', import.meta.url)), 'utf8');
    expect(script).toMatch(/^export CI=true/m);
    expect(script).toMatch(/packages=\(.*\[pg_ctlcluster\]=postgresql/);
  });
});
