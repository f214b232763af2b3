import { CLIENT_RANGES } from '../../src/client/check-client-options.js';
import { CLIENT_DEFAULTS } from '../../src/client/client-options.js';
import * as client from '../../src/client/index.js';
import { codeIn, readDocument, tableAfter } from './markdown.js';

const DOCUMENT = 'docs/client.md';

describe('docs: the client', () => {
  it('has every option with its default and its range', () => {
    const rows = tableAfter(DOCUMENT, '<!-- client-options:start -->').map(
      ([option = '', initial = '', range = '']) => [
        codeIn(option)[0],
        codeIn(initial)[0] ?? '',
        range,
      ],
    );
    const options = Object.entries(CLIENT_DEFAULTS).map(([name, initial]) => {
      const range = CLIENT_RANGES[name as keyof typeof CLIENT_RANGES] as
        readonly number[] | undefined;
      return [name, initial === undefined ? '' : String(initial), range?.join(' to ') ?? ''];
    });
    expect(rows).toEqual([['servers', '', ''], ...options]);
  });

  it('has every error', () => {
    const documented = tableAfter(DOCUMENT, '`execute()` resolves to').map(
      ([name = '']) => codeIn(name)[0],
    );
    const errors = Object.keys(client).filter((name) => name.endsWith('Error'));
    expect(documented.sort()).toEqual(errors.sort());
  });

  it('names a member of the options of a server each', () => {
    const text = readDocument(DOCUMENT);
    for (const name of ['revision', 'credentials', 'reconcile', 'input'])
      expect(text).toContain(`\`${name}`);
  });
});
