import { readFileSync } from 'node:fs';
import * as agents from '../src/agents/index.js';
import * as auth from '../src/auth/index.js';
import * as client from '../src/client/index.js';
import * as root from '../src/index.js';
import * as redis from '../src/redis/index.js';
import * as testing from '../src/testing/index.js';

const EXPORT = /export (type )?\{([^}]*)\} from '[^']+';/g;

/** Every name that an entry file exports, types too, which are gone at run time. */
function exportsOf(file: string): string[] {
  const text = readFileSync(new URL(file, import.meta.url), 'utf8');
  // The list is the whole of an entry file: nothing is made in it, and nothing exported unnamed.
  expect(text.replace(EXPORT, '').trim()).toBe('');
  return [...text.matchAll(EXPORT)]
    .flatMap(([, type = '', names = '']) =>
      names
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== '')
        .map((name) => (name.startsWith('type ') ? name : `${type}${name}`)),
    )
    .sort();
}

describe('what the package exports', () => {
  it('the root entry', () => {
    expect(exportsOf('../src/index.ts')).toMatchSnapshot();
  });

  it('the agents entry', () => {
    expect(exportsOf('../src/agents/index.ts')).toMatchSnapshot();
  });

  it('the auth entry', () => {
    expect(exportsOf('../src/auth/index.ts')).toMatchSnapshot();
  });

  it('the client entry', () => {
    expect(exportsOf('../src/client/index.ts')).toMatchSnapshot();
  });

  it('the redis entry', () => {
    expect(exportsOf('../src/redis/index.ts')).toMatchSnapshot();
  });

  it('the testing entry', () => {
    expect(exportsOf('../src/testing/index.ts')).toMatchSnapshot();
  });

  it.each([
    ['root', '../src/index.ts', root],
    ['agents', '../src/agents/index.ts', agents],
    ['auth', '../src/auth/index.ts', auth],
    ['client', '../src/client/index.ts', client],
    ['redis', '../src/redis/index.ts', redis],
    ['testing', '../src/testing/index.ts', testing],
  ])('at run time the %s entry has what is no type, and nothing else', (_, file, entry) => {
    expect(Object.keys(entry).sort()).toEqual(
      exportsOf(file).filter((name) => !name.startsWith('type ')),
    );
  });
});
