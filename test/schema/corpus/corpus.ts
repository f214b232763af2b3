import 'reflect-metadata';
import { createHash } from 'node:crypto';
import { Body, Controller, Post, type Type, UsePipes, ValidationPipe } from '@nestjs/common';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { httpFramework } from '../../../src/dispatch/http-framework.js';
import { compileRequestWriter, type RequestWriter } from '../../../src/dispatch/write-request.js';
import { McpTool, McpToolCatalog, type Tool } from '../../../src/index.js';
import { loadOptionalPeers, type ValidatorMetadata } from '../../../src/schema/optional-peers.js';
import { FixtureApp } from '../../support/fixture-app.js';
import { edgesOf, MISSING } from './boundaries.js';
import { CLASS_CASES, type ClassCase } from './class-cases.js';
import { ROUTE_CASES, SetsController } from './route-cases.js';

const AT_ONCE = 32;
const peers = await loadOptionalPeers();

/** Arguments to judge, and what of them was changed. */
export interface Sample {
  /** The name of the class or parameter set. */
  readonly set: string;
  /** The tool whose arguments these are. */
  readonly tool: string;
  /** Such as `body.name`; empty for the case's valid arguments. */
  readonly member: string;
  /** The validators of the member, of a class case. */
  readonly decorators: readonly string[];
  readonly args: Readonly<Record<string, unknown>>;
}

/** One sample, as the route and both schemas see it. */
export interface Verdict extends Sample {
  readonly status: number;
  readonly isTaken: boolean;
  readonly fitsCheck: boolean;
  readonly fitsShown: boolean;
}

/** Every sample, in a fixed order. */
export function allSamples(): readonly Sample[] {
  const classes = Object.entries(CLASS_CASES).flatMap(([name, given], index) =>
    classSamples(`class_${index}`, given).map((sample) => ({ ...sample, set: name })),
  );
  const routes = Object.entries(ROUTE_CASES).flatMap(([tool, { valid, tries }]) => [
    { set: tool, tool, member: '', decorators: [], args: valid },
    ...Object.entries(tries).flatMap(([member, values]) =>
      values.map((value) => ({
        set: tool,
        tool,
        member,
        decorators: [],
        args: withValue(valid, member.split('.'), value) as Sample['args'],
      })),
    ),
  ]);
  return [...classes, ...routes];
}

/** SHA-256 of the samples, so that none is dropped unnoticed. */
export function hashOf(samples: readonly Sample[]): string {
  const hash = createHash('sha256');
  for (const { tool, member, args } of samples) hash.update(JSON.stringify([tool, member, args]));
  return hash.digest('hex');
}

function classSamples(tool: string, given: ClassCase): readonly Omit<Sample, 'set'>[] {
  const { dto, valid, options = {}, ignored = [] } = given;
  const { groups, always = false, strictGroups = false } = options;
  const found =
    peers.validators?.getTargetValidationMetadatas(dto, '', always, strictGroups, groups) ?? [];
  const byMember = new Map<string, ValidatorMetadata[]>();
  for (const metadata of found) {
    if (ignored.includes(metadata.propertyName)) continue;
    const known = byMember.get(metadata.propertyName) ?? [];
    byMember.set(metadata.propertyName, [...known, metadata]);
  }
  const samples: Omit<Sample, 'set'>[] = [
    { tool, member: '', decorators: [], args: { body: valid } },
  ];
  for (const [member, metadata] of byMember) {
    // `@Expose({ name })`: the member stands under another name.
    const wire = Object.hasOwn(valid, member) || member !== 'userName' ? member : 'user_name';
    const decorators = [...new Set(metadata.map(({ name, type }) => name ?? type))];
    for (const value of edgesOf(metadata, valid[wire])) {
      const body = withValue(valid, [wire], value);
      samples.push({ tool, member: `body.${wire}`, decorators, args: { body } });
    }
  }
  return samples;
}

function withValue(whole: unknown, path: readonly string[], value: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  const members = (whole ?? {}) as Record<string, unknown>;
  const { [name]: _left, ...others } = members;
  const changed = withValue(members[name], rest, value);
  return changed === MISSING ? others : { ...members, [name]: changed };
}

/** A controller whose one route takes the class as its body. */
function controllerOf(name: string, { dto, options }: ClassCase): Type {
  @Controller(name)
  class ClassController {
    create(body: object): object {
      return { ...body };
    }
  }
  const { prototype } = ClassController;
  const method = Object.getOwnPropertyDescriptor(prototype, 'create') as PropertyDescriptor;
  Body()(prototype, 'create', 0);
  Reflect.defineMetadata('design:paramtypes', [dto], prototype, 'create');
  UsePipes(new ValidationPipe(options))(prototype, 'create', method);
  Post()(prototype, 'create', method);
  McpTool(name)(prototype, 'create', method);
  return ClassController;
}

/** A running application with every case as a route. */
export class Corpus {
  private readonly ajv = new Ajv2020({ strict: false, validateFormats: false });

  private constructor(
    private readonly app: FixtureApp,
    readonly tools: readonly Tool[],
  ) {}

  static async start(): Promise<Corpus> {
    const classes = Object.values(CLASS_CASES).map((given, index) =>
      controllerOf(`class_${index}`, given),
    );
    const app = await FixtureApp.start({ controllers: [...classes, SetsController] });
    return new Corpus(app, app.app.get(McpToolCatalog, { strict: false }).tools);
  }

  /** Judges samples by both schemas and by the route itself, over HTTP. */
  async judge(samples: readonly Sample[]): Promise<readonly Verdict[]> {
    const judges = new Map(this.tools.map((tool) => [tool.name, this.judgeOf(tool)]));
    const verdicts: Verdict[] = [];
    for (let start = 0; start < samples.length; start += AT_ONCE) {
      const some = samples.slice(start, start + AT_ONCE).map((sample) => {
        const judge = judges.get(sample.tool);
        if (judge === undefined) throw new Error(`There is no tool ${sample.tool}.`);
        return judge(sample);
      });
      verdicts.push(...(await Promise.all(some)));
    }
    return verdicts;
  }

  close(): Promise<void> {
    return this.app.close();
  }

  private judgeOf(tool: Tool): (sample: Sample) => Promise<Verdict> {
    const { input, route } = tool;
    const isShown = this.ajv.compile(input.schema);
    const isChecked = this.ajv.compile(input.check ?? input.schema);
    const adapter = this.app.app.getHttpAdapter();
    const { parseQuery, parseForm } = httpFramework(adapter.getType(), adapter.getInstance());
    const { httpMethod, path } = route;
    const write = compileRequestWriter({ httpMethod, path, input, parseQuery, parseForm });
    return async (sample) => {
      const status = await this.send(httpMethod, write, sample);
      return {
        ...sample,
        status,
        isTaken: status < 300,
        fitsCheck: isChecked(sample.args),
        fitsShown: isShown(sample.args),
      };
    };
  }

  private async send(method: string, write: RequestWriter, sample: Sample): Promise<number> {
    const written = write(sample.args);
    if (!written.ok) {
      const what = JSON.stringify(sample.args);
      throw new Error(`${sample.tool} ${what} cannot be sent: ${written.problems.join('; ')}`);
    }
    const headers: Record<string, string> = {};
    for (let index = 0; index < written.headers.length; index += 2) {
      const name = written.headers[index] as string;
      if (name !== 'content-length') headers[name] = written.headers[index + 1] as string;
    }
    const body = written.body === undefined ? {} : { body: new Uint8Array(written.body) };
    const answer = await this.app.http(method, written.url, { headers, ...body });
    return answer.status;
  }
}
