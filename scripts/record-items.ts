/**
 * Records what this version stores, in test/storage/released/VERSION/, with the version of package.json:
 *
 *     npm run record:items
 *
 * It is run once for each release. What a released version recorded never changes: tests read it for ever.
 */
import '../test/support/quiet-sdk.ts';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { recordItems } from './upgrade/record-items.ts';
import { releasedFolder } from './upgrade/stored-items.ts';

const usage = `Usage: npm run record:items

Writes what this version stores into ${releasedFolder}/VERSION/, with the version of package.json. Takes no arguments.
`;

if (process.argv.length > 2) {
  const wantsHelp = /^(?:-h|--help)$/.test(process.argv[2] ?? '');
  (wantsHelp ? process.stdout : process.stderr).write(
    wantsHelp ? usage : `error: Arguments are not taken.\n\n${usage}`,
  );
  process.exit(wantsHelp ? 0 : 2);
}

const root = fileURLToPath(new URL('../', import.meta.url));
const { version } = v.parse(
  v.object({ version: v.string() }),
  JSON.parse(await readFile(`${root}package.json`, 'utf8')),
);
const folder = `${releasedFolder}/${version}`;

if ((await mkdir(root + folder, { recursive: true })) === undefined) {
  process.stderr.write(
    `error: ${folder} is there already. What a version recorded stays as it is: change the version in package.json first, or remove the folder if that version was never released.\n`,
  );
  process.exitCode = 2;
} else {
  for (const [file, recorded] of Object.entries(await recordItems())) {
    await writeFile(`${root}${folder}/${file}`, `${JSON.stringify(recorded, undefined, 2)}\n`);
    process.stdout.write(`${folder}/${file}: ${Object.keys(recorded).length}\n`);
  }
}
