import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { bundleSettings } from '../../lib/bundle/bundle-function.ts';

const lambdas = fileURLToPath(new URL('../../lambdas/', import.meta.url));

/** Why each package is in the bundles. A package without a reason is an error, so that none comes in unseen. */
const reasons: Readonly<Record<string, string>> = {
  '@aws-sdk/client-cloudformation': 'Turns on the protection of the stack',
  '@aws-sdk/client-dynamodb':
    'Reads and writes items. Besides the commands in use, it has a class for each error of DynamoDB, and the rules of its endpoints',
  '@aws-sdk/client-eventbridge': 'Sends the events of uploads',
  '@aws-sdk/client-s3': 'Reads versions and tags, and puts tombstones',
  '@aws-sdk/client-secrets-manager': 'Reads the keys',
  '@aws-sdk/client-sts': 'Assumes the role that signs an upload URL',
  '@aws-sdk/checksums': 'Checksums of S3, which the S3 client makes ready for every call',
  '@aws-sdk/core': 'What all clients share: protocols, signing, the AWS partitions',
  '@aws-sdk/dynamodb-codec': 'Reads and writes the JSON of DynamoDB',
  '@aws-sdk/middleware-sdk-s3': 'Special cases of S3: Regions, Express buckets, checks of bucket names',
  '@aws-sdk/s3-request-presigner': 'Signs upload URLs',
  '@aws-sdk/signature-v4-multi-region': 'Part of the S3 client: signatures for several Regions',
  '@aws-sdk/xml-builder': 'Reads and writes the XML of CloudFormation, S3 and STS',
  '@aws/lambda-invoke-store': 'Finds the trace id of an invocation, for the detection of recursive calls',
  '@smithy/core': 'The core of the SDK: clients, schemas, serialization, retries, endpoints',
  '@smithy/node-http-handler': 'Sends requests and bounds their time',
  '@smithy/signature-v4': 'Signs every call to AWS (Signature Version 4)',
  '@smithy/types': 'Names of algorithms and protocols',
  jose: 'Makes and checks tokens and keys',
  valibot: 'Checks what is stored, what arrives and what is answered',
  contract: 'Of this project: what clients see',
  lambdas: 'Of this project: the functions; for `well-known`, the API description',
  lib: 'Of this project: replaces parts of the SDK (`lib/bundle/`)',
  storage: 'Of this project: what is stored, and in which form',
};

/** What esbuild adds to connect the modules. */
const connecting = '(esbuild)';

/** Bytes of each package in the bundle of one function. */
export type BundleContents = ReadonlyMap<string, number>;

/** The page docs/generated/bundles.md. */
export async function bundlesDocument(): Promise<string> {
  const names = readdirSync(lambdas).filter((name) => existsSync(join(lambdas, name, 'handler.ts')));
  const bundles = names.sort().map(async (name) => [name, await contentsOf(name)] as const);
  return renderBundles(new Map(await Promise.all(bundles)), reasons);
}

async function contentsOf(name: string): Promise<BundleContents> {
  const { metafile } = await build({
    ...bundleSettings(join(lambdas, name, 'handler.ts')),
    outfile: 'index.mjs',
    write: false,
    metafile: true,
  });
  const contents = new Map<string, number>();
  const add = (key: string, bytes: number) => contents.set(key, (contents.get(key) ?? 0) + bytes);
  for (const { bytes, inputs } of Object.values(metafile.outputs)) {
    add(connecting, bytes);
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      if (bytesInOutput > 0) {
        add(packageOf(path), bytesInOutput);
        add(connecting, -bytesInOutput);
      }
    }
  }
  return contents;
}

/** The package of a path below the last `node_modules`, or the project's own folder. */
function packageOf(path: string): string {
  const installed = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1];
  return installed ?? path.replace(/\/.*/, '');
}

/**
 * The page with one row for each package and one column for each function, in KiB, the largest package first.
 *
 * @param why the reason for each package
 * @throws Error when a package has no reason, or a reason has no package
 */
export function renderBundles(
  bundles: ReadonlyMap<string, BundleContents>,
  why: Readonly<Record<string, string>>,
): string {
  const sizes = new Map<string, number>();
  for (const contents of bundles.values()) {
    for (const [name, bytes] of contents) {
      sizes.set(name, Math.max(sizes.get(name) ?? 0, bytes));
    }
  }
  sizes.delete(connecting);
  requireSame([...sizes.keys()], Object.keys(why));
  // What is less than half a KiB everywhere is in the sum only.
  const shown = [...sizes].filter(([, bytes]) => bytes >= 512);
  const names = shown.sort(compareSizes).map(([name]) => name);
  const columns = [...bundles.values()];
  const row = (name: string) => cells(name, ...columns.map((one) => kibibytes(one.get(name))), why[name]);
  const sums = columns.map((one) => kibibytes([...one.values()].reduce((sum, bytes) => sum + bytes, 0)));
  return [
    '# Bundles',
    '',
    'This is what the bundle of each function carries, in KiB after minification, and why. Node.js reads all of it at every',
    'cold start. What the bundles leave out of the SDK, and what that saves, is in',
    '`lib/bundle/left-out.ts`.',
    '',
    '`npm run generate` makes this page with the settings that make the bundles. It fails if a package has no reason.',
    '',
    cells('Package', ...[...bundles.keys()].map((name) => `\`${name}\``), 'Why it is there'),
    `|---|${'--:|'.repeat(columns.length)}---|`,
    cells('**All**', ...sums, ''),
    ...names.map(row),
    '',
  ].join('\n');
}

function requireSame(packages: readonly string[], explained: readonly string[]): void {
  const unexplained = packages.filter((name) => !explained.includes(name));
  const absent = explained.filter((name) => !packages.includes(name));
  if (unexplained.length + absent.length > 0) {
    throw new Error(
      `the reasons in scripts/documents/bundles.ts do not fit the bundles. ` +
        `Without a reason: ${unexplained.join(', ') || 'none'}. Not in any bundle: ${absent.join(', ') || 'none'}`,
    );
  }
}

function compareSizes([name, bytes]: [string, number], [otherName, otherBytes]: [string, number]): number {
  const [rounded, otherRounded] = [Math.round(bytes / 1024), Math.round(otherBytes / 1024)];
  return otherRounded - rounded || (name < otherName ? -1 : 1);
}

/** Rounded, so that the page changes only with what it says. */
function kibibytes(bytes = 0): string {
  return bytes < 512 ? '' : String(Math.round(bytes / 1024));
}

function cells(...texts: readonly (string | undefined)[]): string {
  return `|${texts.map((text = '') => (text === '' ? ' ' : ` ${text} `)).join('|')}|`;
}
