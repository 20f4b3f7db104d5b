import { readFile } from 'node:fs/promises';
import * as v from 'valibot';

export interface Package {
  readonly name: string;
  readonly version: string;
  /** SPDX expression, or `unknown`. */
  readonly licence: string;
}

/** Permissive licences: use, change and sale without a duty to publish source. */
const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
]);

const lockSchema = v.object({
  packages: v.record(
    v.string(),
    v.object({
      name: v.optional(v.string()),
      version: v.optional(v.string()),
      license: v.optional(v.string()),
      dev: v.optional(v.boolean()),
    }),
  ),
});

const manifestSchema = v.object({ license: v.string() });

/**
 * The packages of a lock file that are not for development alone, by name. What the installed package says of its
 * licence counts before what the lock file does.
 *
 * @param readManifest reads the package.json below a path such as `node_modules/jose`
 */
export async function runtimePackages(
  lock: unknown,
  readManifest: (path: string) => Promise<unknown>,
): Promise<readonly Package[]> {
  const entries = Object.entries(v.parse(lockSchema, lock).packages);
  const packages = await Promise.all(
    entries
      .filter(([path, { dev }]) => path !== '' && dev !== true)
      .map(async ([path, entry]) => {
        const manifest = v.safeParse(manifestSchema, await readManifest(path));
        return {
          name: entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
          version: entry.version ?? 'unknown',
          licence: manifest.success ? manifest.output.license : (entry.license ?? 'unknown'),
        };
      }),
  );
  const distinct = new Map(packages.map((one) => [`${one.name} ${one.version}`, one]));
  return [...distinct.values()].sort((one, other) =>
    `${one.name} ${one.version}` < `${other.name} ${other.version}` ? -1 : 1,
  );
}

/** Of alternatives one allowed licence is enough; of several that hold together each must be (SPDX, annex D). */
export function judgeLicence(expression: string): 'allowed' | 'refused' {
  const bare = expression.replace(/^\((.*)\)$/, '$1');
  // Nested expressions are read by a person.
  if (/[()]/.test(bare)) {
    return 'refused';
  }
  const holds = bare.split(' OR ').some((one) => one.split(' AND ').every((name) => allowed.has(name)));
  return holds ? 'allowed' : 'refused';
}

/**
 * The page docs/generated/licences.md.
 *
 * @throws Error when a licence is unknown or may not be used
 */
export async function licencesDocument(): Promise<string> {
  const lock: unknown = JSON.parse(await readFile(new URL('package-lock.json', root), 'utf8'));
  return renderLicences(await runtimePackages(lock, readManifest));
}

const root = new URL('../../', import.meta.url);

/** What an installed package says of itself; undefined for one that is for another platform. */
async function readManifest(path: string): Promise<unknown> {
  const text = await readFile(new URL(`${path}/package.json`, root), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : JSON.parse(text);
}

/**
 * The page that lists packages.
 *
 * @throws Error when the licence of one is unknown or may not be used
 */
export function renderLicences(packages: readonly Package[]): string {
  const refused = packages.filter(({ licence }) => judgeLicence(licence) === 'refused');
  if (refused.length > 0) {
    const list = refused.map(({ name, version, licence }) => `${name} ${version} (${licence})`).join(', ');
    throw new Error(`not among the allowed licences: ${list}`);
  }
  const counts = new Map<string, number>();
  for (const { licence } of packages) {
    counts.set(licence, (counts.get(licence) ?? 0) + 1);
  }
  const sums = [...counts].sort().map(([licence, count]) => `| ${licence} | ${count} |`);
  const rows = packages.map(({ name, version, licence }) => `| ${name} | ${version} | ${licence} |`);
  return [
    '# Licences',
    '',
    'These are the packages that a deployment or the command-line tools need at run time, with their dependencies.',
    'Packages that only the tests and the build need are left out.',
    '',
    '`npm run generate` makes this page from `package-lock.json`. It fails if a licence is unknown or not permissive, such',
    'as the AGPL or the GPL.',
    '',
    '| Licence | Packages |',
    '|---|---|',
    ...sums,
    '',
    '| Package | Version | Licence |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}
