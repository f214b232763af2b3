import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { has } from '../support/needs.js';
import { BLOCKS } from './markdown.js';

const DEMO = fileURLToPath(new URL('../../sample/demo/dist/demo.js', import.meta.url));
const [shown] = BLOCKS.filter(({ words }) => words.has('demo'));

describe('docs: the transcript of the demo', () => {
  it('stands in the README', () => {
    expect(shown?.document).toBe('README.md');
    expect(shown?.text).toContain('answers were the right ones.');
  });

  (has([DEMO], 'npm run demo builds it') ? it : it.skip)(
    'is what the demo prints',
    () => {
      const printed = execFileSync(process.execPath, [DEMO], { encoding: 'utf8', timeout: 50_000 });
      expect(shown?.text).toBe(printed.trim());
    },
    60_000,
  );
});
