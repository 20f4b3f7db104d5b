/**
 * Lists the licence of every package that a deployment or an operator needs at run time, and refuses those that may
 * not be used.
 *
 *     npm run licences [-- --check]
 */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { judgeLicence, renderLicences, runtimePackages } from './licences/licences.ts';

const root = new URL('../', import.meta.url);
const page = new URL('docs/licences.md', root);

const lock: unknown = JSON.parse(await readFile(new URL('package-lock.json', root), 'utf8'));
const packages = await runtimePackages(lock, readManifest);
const refused = packages.filter(({ licence }) => judgeLicence(licence) === 'refused');
for (const { name, version, licence } of refused) {
  process.stderr.write(`${name} ${version} has the licence ${licence}, which is not among those allowed.\n`);
}
const rendered = renderLicences(packages);
if (process.argv.includes('--check')) await check(rendered);
else await writeFile(page, rendered);
process.stdout.write(`${packages.length} run-time packages, ${refused.length} refused\n`);
if (refused.length > 0) process.exitCode = 1;

async function check(text: string): Promise<void> {
  if ((await readFile(page, 'utf8').catch(() => '')) === text) return;
  process.stderr.write(`${fileURLToPath(page)} is stale: run npm run licences.\n`);
  process.exitCode = 1;
}

/** What an installed package says of itself; undefined for one that is for another platform. */
async function readManifest(path: string): Promise<unknown> {
  const text = await readFile(new URL(`${path}/package.json`, root), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : JSON.parse(text);
}
