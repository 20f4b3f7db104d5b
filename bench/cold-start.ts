/**
 * How long each function's bundle takes to load in a fresh Node.js process, as a ratio to an empty bundle.
 * Needs the synthesized template: run `npm run synth` first.
 *
 *     npm run bench -- cold-start
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type Contestant, compare, printComparison } from './compare.ts';

const run = promisify(execFile);
const assembly = resolve('cdk.out');
const rounds = 15;

interface Bundle {
  readonly name: string;
  readonly file: string;
  readonly variables: readonly string[];
}

interface FunctionResource {
  readonly Type: string;
  readonly Properties: {
    readonly Code?: { readonly S3Key?: string };
    readonly Environment?: { readonly Variables?: Readonly<Record<string, unknown>> };
  };
}

const folder = await mkdtemp(join(tmpdir(), 'file-sync-bench-'));
try {
  const empty = { name: 'an empty bundle', file: join(folder, 'empty.mjs'), variables: [] };
  await writeFile(empty.file, 'export const handler = async () => ({ statusCode: 204 });\n');
  const bundles = [empty, ...(await readBundles())];
  for (const { name, file } of bundles) {
    process.stdout.write(`${name}: ${((await stat(file)).size / 1024).toFixed(1)} KiB\n`);
  }
  printComparison(
    `\nLoading a bundle in a fresh process (median of ${rounds})`,
    await compare(bundles.map(contestant), rounds),
  );
} finally {
  await rm(folder, { recursive: true });
}

async function readBundles(): Promise<readonly Bundle[]> {
  const name = (await readdir(assembly)).find((file) => /^file-sync-\w+\.template\.json$/.test(file));
  if (name === undefined) {
    throw new Error('No template in cdk.out: run `npm run synth` first');
  }
  const template: { Resources: Record<string, FunctionResource> } = JSON.parse(
    await readFile(join(assembly, name), 'utf8'),
  );
  return Object.entries(template.Resources).flatMap(([logicalId, resource]) => {
    const asset = resource.Type === 'AWS::Lambda::Function' ? resource.Properties.Code?.S3Key : undefined;
    if (asset === undefined) {
      return [];
    }
    const file = join(assembly, `asset.${asset.replace(/\.zip$/, '')}`, 'index.mjs');
    return [
      { name: logicalId, file, variables: Object.keys(resource.Properties.Environment?.Variables ?? {}) },
    ];
  });
}

function contestant({ name, file, variables }: Bundle): Contestant {
  // The port is closed. What a function fetches while it loads fails immediately, so that only loading is timed.
  const fixed = {
    AWS_ENDPOINT_URL: 'http://127.0.0.1:9',
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'x',
    AWS_SECRET_ACCESS_KEY: 'x',
  };
  const env = {
    ...Object.fromEntries(variables.map((key) => [key, key.endsWith('_SECONDS') ? '3600' : 'ES256'])),
    ...fixed,
  };
  const script = `const start = process.hrtime.bigint();
    await import(${JSON.stringify(file)});
    process.stdout.write(String(Number(process.hrtime.bigint() - start) / 1e6));
    process.exit(0);`;
  const sample = async (): Promise<number> =>
    Number((await run(process.execPath, ['--input-type=module', '--eval', script], { env })).stdout);
  return { name, sample };
}
