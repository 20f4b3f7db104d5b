import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Source files of the stack. The lock file represents all packages. */
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

/** Stored in the cloud assembly, so both are removed at the same time. */
const recordName = 'inputs.sha256';

/** Returns a digest of the context, and of the paths, sizes and times of all sources. */
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

/** Returns true if the cloud assembly was synthesized from inputs with this digest. */
export function isSynthesizedFrom(outputDirectory: string, digest: string): boolean {
  const record = join(outputDirectory, recordName);
  return existsSync(record) && readFileSync(record, 'utf8') === digest;
}

/** Records the inputs of a complete cloud assembly. */
export function recordInputs(outputDirectory: string, digest: string): void {
  writeFileSync(join(outputDirectory, recordName), digest);
}
