import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the stack is made of. The lock file stands for all packages. */
const inputs = [
  'bin',
  'contract',
  'lambdas',
  'lib',
  'storage',
  'cdk.json',
  'package-lock.json',
  'tsconfig.json',
];

/** In the cloud assembly, so that both are removed together. */
const recordName = 'inputs.sha256';

/** A digest of the context, and of the paths, sizes and times of all sources. */
export function digestInputs(projectRoot: string, context: Readonly<Record<string, string>>): string {
  const files = inputs.flatMap((name) => filesIn(join(projectRoot, name))).toSorted();
  const stamps = files.map((path) => {
    const { size, mtime } = statSync(path);
    return [path, size, mtime];
  });
  const debug = process.env.FILE_SYNC_DEBUG_BUNDLES;
  return createHash('sha256')
    .update(JSON.stringify([process.version, context, debug, stamps]))
    .digest('hex');
}

function filesIn(path: string): readonly string[] {
  if (!existsSync(path) || statSync(path).isFile()) {
    return existsSync(path) ? [path] : [];
  }
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Whether the cloud assembly was made of inputs with this digest. */
export function isSynthesizedFrom(outputDirectory: string, digest: string): boolean {
  const record = join(outputDirectory, recordName);
  return existsSync(record) && readFileSync(record, 'utf8') === digest;
}

/** Records what a complete cloud assembly was made of. */
export function recordInputs(outputDirectory: string, digest: string): void {
  writeFileSync(join(outputDirectory, recordName), digest);
}
