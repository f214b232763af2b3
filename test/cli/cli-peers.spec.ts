import { jest } from '@jest/globals';
import { runCommand } from '../../src/cli/command.js';

/** As Node says it of a package that is not installed. */
function missing(name: string): () => never {
  return () => {
    const error = new Error(`Cannot find package '${name}' imported from /app/node_modules/x.js`);
    throw Object.assign(error, { code: 'ERR_MODULE_NOT_FOUND' });
  };
}

describe('cli: a command whose optional peer is not installed', () => {
  beforeEach(() => {
    jest.resetModules();
    jest.unstable_mockModule('re2js', missing('re2js'));
  });

  it('says what to install, and nothing of where it is looked for', async () => {
    const { code, output, errors } = await runCommand(['key', 'list']);
    expect([code, output]).toEqual([1, '']);
    expect(errors).toBe('It needs the package re2js: npm install re2js');
  });

  it('is named in the usage, beside those that can run', async () => {
    const { code, output } = await runCommand(['--help']);
    expect(code).toBe(0);
    expect(output).toContain('nestjs-mcp-routes tools <module>');
    expect(output).toContain(
      'nestjs-mcp-routes key: It needs the package re2js: npm install re2js',
    );
    expect(output).not.toContain('/app/');
  });
});
