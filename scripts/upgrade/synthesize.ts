import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import type { Stage } from './finding.ts';
import { CheckProblem } from './problem.ts';
import { lastLines, runProgram } from './run-program.ts';
import { type SynthesizedStack, templateSchema } from './template.ts';

const settingsSchema = v.object({
  app: v.string(),
  context: v.optional(v.record(v.string(), v.unknown()), {}),
});

const stackSchema = v.object({
  type: v.literal('aws:cloudformation:stack'),
  properties: v.object({
    templateFile: v.string(),
    stackName: v.optional(v.string()),
    terminationProtection: v.optional(v.boolean(), false),
  }),
});

const manifestSchema = v.object({ artifacts: v.record(v.string(), v.unknown()) });

export interface SynthesizeOptions {
  /** The folder of the version. */
  readonly root: string;
  /** Its name in messages. */
  readonly version: string;
  readonly stage: Stage;
  readonly context: Readonly<Record<string, string>>;
  /** A folder for the result, which does not exist yet. */
  readonly output: string;
  readonly signal: AbortSignal;
}

/**
 * Synthesizes a version for a stage as the CDK's command line does, but without bundling the functions: their code is
 * not compared.
 *
 * @throws {CheckProblem} with the output of the app
 */
export async function synthesize(options: SynthesizeOptions): Promise<SynthesizedStack> {
  const { root, version, stage, output, signal } = options;
  const settings = v.parse(settingsSchema, await readJson(join(root, 'cdk.json')));
  const context = { ...settings.context, ...options.context, stage, 'aws:cdk:bundling-stacks': [] };
  const [command = 'node', ...parameters] = settings.app.split(' ');
  const outcome = await runProgram(command, parameters, {
    cwd: root,
    env: {
      CDK_OUTDIR: output,
      CDK_CONTEXT_JSON: JSON.stringify(context),
      // The CDK's rules for templates take half of the time. A version that is deployed has passed them.
      CDK_VALIDATION: 'false',
    },
    signal,
  });
  if (outcome.code !== 0) {
    throw new CheckProblem(
      `The stage ${stage} of ${version} cannot be synthesized, so that there is nothing to compare:\n${lastLines(outcome)}`,
    );
  }
  return readAssembly(output, version);
}

async function readAssembly(folder: string, version: string): Promise<SynthesizedStack> {
  const { artifacts } = v.parse(manifestSchema, await readJson(join(folder, 'manifest.json')));
  const stacks = Object.entries(artifacts).flatMap(([id, artifact]) => {
    const parsed = v.safeParse(stackSchema, artifact);
    return parsed.success ? [{ id, ...parsed.output.properties }] : [];
  });
  const [stack] = stacks;
  if (stack === undefined || stacks.length > 1) {
    throw new CheckProblem(
      `${version} has ${stacks.length} stacks, and this check knows how to compare one. Extend scripts/upgrade/synthesize.ts.`,
    );
  }
  return {
    name: stack.stackName ?? stack.id,
    terminationProtection: stack.terminationProtection,
    template: v.parse(templateSchema, await readJson(join(folder, stack.templateFile))),
  };
}

async function readJson(path: string): Promise<unknown> {
  return JSON.parse(await readFile(path, 'utf8'));
}
