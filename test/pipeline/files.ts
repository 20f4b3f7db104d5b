import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import * as v from 'valibot';

export const root = new URL('../../', import.meta.url);

/** The parser of a development package, which has no types. */
const yaml: { readonly load: (text: string) => unknown } = createRequire(import.meta.url)('js-yaml');

export const textOf = (path: string) => readFile(new URL(path, root), 'utf8');

export const yamlOf = async (path: string) => yaml.load(await textOf(path));

const permissions = v.record(v.string(), v.picklist(['read', 'write', 'none']));

const step = v.object({
  name: v.optional(v.string()),
  uses: v.optional(v.string()),
  run: v.optional(v.string()),
  with: v.optional(v.record(v.string(), v.unknown()), {}),
  env: v.optional(v.record(v.string(), v.string()), {}),
});

const job = v.object({
  permissions,
  uses: v.optional(v.string()),
  environment: v.optional(v.string()),
  'timeout-minutes': v.optional(v.number()),
  strategy: v.optional(v.object({ matrix: v.record(v.string(), v.unknown()) })),
  steps: v.optional(v.array(step), []),
});

const workflow = v.object({
  on: v.record(v.string(), v.unknown()),
  permissions,
  concurrency: v.object({ group: v.string(), 'cancel-in-progress': v.union([v.boolean(), v.string()]) }),
  jobs: v.record(v.string(), job),
});

export type Job = v.InferOutput<typeof job>;

export interface Workflow extends v.InferOutput<typeof workflow> {
  readonly name: string;
  readonly text: string;
}

const folder = '.github/workflows/';

export async function workflows(): Promise<readonly Workflow[]> {
  const names = (await readdir(new URL(folder, root))).toSorted();
  return Promise.all(
    names.map(async (name) => {
      const path = `${folder}${name}`;
      return { name, text: await textOf(path), ...v.parse(workflow, await yamlOf(path)) };
    }),
  );
}
