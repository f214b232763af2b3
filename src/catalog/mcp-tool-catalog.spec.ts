import { McpNotReadyError, McpUnknownToolError } from '../mcp.errors.js';
import { McpToolCatalog } from './mcp-tool-catalog.js';
import type { Tool } from './tool.js';

const tools = ['a', 'b', 'c'].map((name) => ({ name }) as Tool);

describe('tool catalog', () => {
  let catalog: McpToolCatalog;
  let changes: string[][];
  beforeEach(() => {
    catalog = new McpToolCatalog();
    catalog.fill(tools);
    changes = [];
    catalog.onChange(() => changes.push(names()));
  });
  const names = (): string[] => catalog.tools.map(({ name }) => name);

  it('is in the order that it was filled in', () => {
    expect(names()).toEqual(['a', 'b', 'c']);
  });

  it('a tool that is switched off is not listed and not found, but known', () => {
    catalog.disable('b');
    expect(names()).toEqual(['a', 'c']);
    expect(catalog.find('b')).toBeUndefined();
    expect(catalog.get('b')).toBe(tools[1]);
  });

  it('and is in its old place when it is switched on again', () => {
    catalog.disable('b');
    catalog.enable('b');
    expect(names()).toEqual(['a', 'b', 'c']);
    expect(catalog.find('b')).toBe(tools[1]);
  });

  it('tells of each change once, after it, and of none that is none', () => {
    catalog.enable('a');
    catalog.disable('a');
    catalog.disable('a');
    catalog.enable('a');
    catalog.enable('a');
    expect(changes).toEqual([
      ['b', 'c'],
      ['a', 'b', 'c'],
    ]);
  });

  it.each(['enable', 'disable', 'get'] as const)(
    '%s of an unknown tool names those that there are',
    (method) => {
      expect(() => catalog[method]('d')).toThrow(McpUnknownToolError);
      expect(() => catalog[method]('d')).toThrow(
        'There is no tool named "d". The tools of this endpoint are: a, b, c.',
      );
      expect(changes).toEqual([]);
    },
  );

  it.each(['toString', '__proto__', 'constructor'])('has no tool %s of its own accord', (name) => {
    expect(catalog.find(name)).toBeUndefined();
  });

  it('says so when there are none at all', () => {
    const empty = new McpToolCatalog();
    empty.fill([]);
    expect(() => empty.get('a')).toThrow('The tools of this endpoint are: none.');
  });

  it('is not ready before it is filled', () => {
    const early = new McpToolCatalog();
    expect(() => early.tools).toThrow(McpNotReadyError);
    expect(() => early.find('a')).toThrow(McpNotReadyError);
    expect(() => early.disable('a')).toThrow(McpNotReadyError);
  });
});
