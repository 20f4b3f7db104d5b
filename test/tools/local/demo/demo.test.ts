import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { adminLines } from '../../../../tools/local/demo/admin-lines.ts';
import { describeUploadUrl } from '../../../../tools/local/demo/client.ts';
import { curlLines } from '../../../../tools/local/demo/curl-lines.ts';

const projectRoot = fileURLToPath(new URL('../../../../', import.meta.url));

it.each([60, 3600])('tells for how many seconds an upload URL is good: %i', (seconds) => {
  const url = `http://127.0.0.1:4566/bucket/key?If-None-Match=%2A&X-Amz-Expires=${seconds}&X-Amz-Signature=0`;
  expect(describeUploadUrl(url)).toBe(`a URL at http://127.0.0.1:4566, good for one PUT within ${seconds} s`);
});

it.each([
  ['.local', '--local'],
  ['state/of mine', `--local --state '${resolve(projectRoot, 'state/of mine')}'`],
])('names the state folder in admin lines only if they need it: %s', (folder, flags) => {
  const stateDirectory = resolve(projectRoot, folder);
  const [first, ...others] = adminLines({ client: { client_id: 'c' }, fileId: 'f', stateDirectory });
  expect(first).toBe(`npm run -s admin -- ${flags} client show c`);
  expect(others).toContain(`npm run -s admin -- ${flags} upload list --file f`);
});

it.each(['plain.md', "it's a $HOME of `its own`.md"])('uploads a file by its whole path: %s', (name) => {
  const folder = mkdtempSync(join(tmpdir(), 'file-sync-demo-test-'));
  const uploadPath = join(folder, name);
  writeFileSync(uploadPath, 'content');
  const client = { client_id: 'id', client_secret: 'secret' };
  const lines = curlLines({ baseUrl: 'http://127.0.0.1:3000', client, fileId: 'f', uploadPath });
  // In place of curl, what shows the one parameter that is asked about.
  const upload = lines
    .at(-1)
    ?.replace(/^call .* --upload-file/, 'cat')
    .replace(/ "\$URL" .*$/, '');
  expect(execFileSync('sh', ['-c', upload ?? ''], { cwd: '/', encoding: 'utf8' })).toBe('content');
  rmSync(folder, { recursive: true });
});
