import type { INestApplication, LoggerService, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

export interface ApplicationSource {
  readonly module: string;
  readonly export: string | undefined;
  readonly configure: string | undefined;
}

/** An application whose routes are known, and what its MCP module warned of. */
export interface LoadedApplication {
  readonly app: INestApplication;
  readonly warnings: readonly string[];
}

/**
 * Makes an application of a compiled module and initializes it, without listening.
 *
 * @throws McpSetupError as the application's own start would; Error when a file has not what is looked for
 */
export async function loadApplication(source: ApplicationSource): Promise<LoadedApplication> {
  const module = pickModule(await load(source.module), source);
  const configure =
    source.configure === undefined
      ? undefined
      : pickFunction(await load(source.configure), source.configure);
  const logger = new WarningCollector();
  const app = await NestFactory.create(module, { logger, abortOnError: false });
  await configure?.(app);
  await app.init();
  return { app, warnings: logger.warnings };
}

async function load(file: string): Promise<Readonly<Record<string, unknown>>> {
  const path = resolve(file);
  const found = await access(path).then(
    () => true,
    () => false,
  );
  if (!found) throw new Error(`There is no file ${path}. Build the application first.`);
  const loaded = (await import(pathToFileURL(path).href)) as Record<string, unknown>;
  // A CommonJS file has its exports in `default`, and those that Node can see beside it.
  const { default: whole } = loaded;
  return { ...(typeof whole === 'object' ? whole : {}), ...loaded };
}

function pickModule(
  exports: Readonly<Record<string, unknown>>,
  { module, export: name }: ApplicationSource,
): Type {
  const classes = Object.entries(exports).filter(([, value]) => isModule(value));
  const wanted = name ?? 'AppModule';
  const named = classes.find(([key]) => key === wanted)?.[1];
  const different = new Set(classes.map(([, value]) => value));
  const only = name === undefined && different.size === 1 ? classes[0]?.[1] : undefined;
  const found = named ?? only;
  if (found !== undefined) return found as Type;
  const names = classes.map(([key]) => key).join(', ');
  throw new Error(
    `${module} exports no module "${wanted}". Its modules are: ${names || 'none'}. Name one with --export.`,
  );
}

/** Nest marks a class with `@Module()` by what stands in it. */
function isModule(value: unknown): boolean {
  if (typeof value !== 'function') return false;
  return ['imports', 'controllers', 'providers'].some((key) => Reflect.hasMetadata(key, value));
}

type Configure = (app: INestApplication) => unknown;

function pickFunction(exports: Readonly<Record<string, unknown>>, file: string): Configure {
  const functions = new Set(Object.values(exports).filter((value) => typeof value === 'function'));
  const named = exports['configure'];
  const [only] = functions;
  if (typeof named === 'function') return named as Configure;
  if (functions.size === 1) return only as Configure;
  throw new Error(`${file} exports no function "configure", and not just one function.`);
}

/** Keeps what the MCP module warns of, and is silent otherwise. */
class WarningCollector implements LoggerService {
  readonly warnings: string[] = [];

  log(): void {}

  error(): void {}

  warn(message: unknown, ...rest: readonly unknown[]): void {
    if (rest.at(-1) === 'McpModule') this.warnings.push(String(message));
  }
}
