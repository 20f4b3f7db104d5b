/**
 * Prints what the changelog says about a version, for the page of its release:
 *
 *     npm run -s release-notes -- v1.2.3
 *
 * Exits 1 if the tag is not the version of package.json, or if the changelog does not have the version.
 */
import { readFile } from 'node:fs/promises';
import { ReleaseProblem, releaseNotes } from './release/release-notes.ts';

const [tag, ...others] = process.argv.slice(2);
if (tag === undefined || others.length > 0) {
  process.stderr.write('Usage: npm run -s release-notes -- v1.2.3\n');
  process.exit(2);
}
const read = (name: string) => readFile(new URL(`../${name}`, import.meta.url), 'utf8');
const { version } = JSON.parse(await read('package.json'));
try {
  process.stdout.write(releaseNotes(tag, version, await read('CHANGELOG.md')));
} catch (error) {
  if (!(error instanceof ReleaseProblem)) {
    throw error;
  }
  process.stderr.write(`error: ${error.message}\n`);
  process.exitCode = 1;
}
