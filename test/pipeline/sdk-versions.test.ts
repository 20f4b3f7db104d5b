import { readFileSync } from 'node:fs';
import * as v from 'valibot';

/** AWS SDK packages that `npm ci` installs. */

const lockFile = v.object({ packages: v.record(v.string(), v.object({ version: v.optional(v.string()) })) });
const { packages } = v.parse(lockFile, JSON.parse(readFileSync('package-lock.json', 'utf8')));
const folders = Object.keys(packages).filter((folder) => /node_modules\/@(aws-sdk|smithy)\//.test(folder));

// A second copy would increase the size of every bundle that contains both.
test('no package of the AWS SDK is installed twice', () => {
  expect(folders.filter((folder) => folder.lastIndexOf('node_modules/') > 0)).toEqual([]);
});
