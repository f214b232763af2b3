import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CONFIGURATION = ['eslint.config.js', 'scripts/lint', 'tsconfig.json', 'package.json'];

/** What ESLint reported of one file. */
export interface Finding {
  readonly rule: string | null;
  readonly message: string;
}

interface FileReport {
  readonly filePath: string;
  readonly messages: readonly { readonly ruleId: string | null; readonly message: string }[];
}

/**
 * Lints files in a directory that holds nothing else but this repository's own ESLint configuration.
 *
 * @param files contents by path
 * @returns the findings of each file, by the path given
 */
export async function lintProject(
  files: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, readonly Finding[]>> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'mcp-lint-')));
  try {
    for (const path of CONFIGURATION) {
      await cp(join(ROOT, path), join(directory, path), { recursive: true });
    }
    await symlink(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(directory, path)), { recursive: true });
      await writeFile(join(directory, path), content);
    }
    return byPath(directory, await runEslint(directory));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** @returns ESLint's JSON report; it exits with 1 when it found something, which is no error here */
function runEslint(directory: string): Promise<FileReport[]> {
  const eslint = join(ROOT, 'node_modules/eslint/bin/eslint.js');
  const options = { cwd: directory, maxBuffer: 64 * 1024 * 1024 };
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [eslint, '--format', 'json', '.'],
      options,
      (error, stdout, stderr) => {
        if (error && error.code !== 1)
          reject(new Error(`ESLint failed: ${stderr}`, { cause: error }));
        else resolve(JSON.parse(stdout) as FileReport[]);
      },
    );
  });
}

function byPath(directory: string, reports: readonly FileReport[]): Map<string, Finding[]> {
  return new Map(
    reports.map(({ filePath, messages }) => [
      relative(directory, filePath),
      messages.map(({ ruleId, message }) => ({ rule: ruleId, message })),
    ]),
  );
}
