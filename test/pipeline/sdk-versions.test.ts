import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { expect, test } from 'vitest';

/** AWS SDK packages that `npm ci` installs. */

const lockFile = v.object({ packages: v.record(v.string(), v.object({ version: v.optional(v.string()) })) });
const { packages } = v.parse(lockFile, JSON.parse(readFileSync('package-lock.json', 'utf8')));
const folders = Object.keys(packages).filter((folder) => /node_modules\/@(aws-sdk|smithy)\//.test(folder));

// AWS publishes only the changed clients. If Renovate proposes different versions, choose the newest version
// that exists for all clients. The client of CloudTrail changes rarely, and has no such version.
test('all clients of the AWS SDK but CloudTrail have one version', () => {
  const clients = folders.filter((folder) =>
    /\/(client-(?!cloudtrail)[\w-]+|s3-request-presigner)$/.test(folder),
  );
  const versions = clients.map((folder) => `${packages[folder]?.version} of ${folder}`);
  expect(clients.length).toBeGreaterThan(10);
  expect(new Set(versions.map((line) => line.split(' ')[0])).size, versions.join('\n')).toBe(1);
});

// A second copy would increase the size of every bundle that contains both.
test('no package of the AWS SDK is installed twice', () => {
  expect(folders.filter((folder) => folder.lastIndexOf('node_modules/') > 0)).toEqual([]);
});
