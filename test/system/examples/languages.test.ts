import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { temporaryFolder } from 'cloud-assembly-emulator/test/temporary-folder';
import { describe, expect, test } from 'vitest';
import { createApiUser } from '../../support/api-user.ts';
import { lacks, offline } from '../../support/missing-tool.ts';
import { runProcess } from '../../support/run-process.ts';
import { useRunningStack } from '../../support/use-running-stack.ts';
import { startFaultyProxy } from './faulty-proxy.ts';
import { hostileResponses } from './hostile-responses.ts';
import { startHostileService } from './hostile-service.ts';

/** Runs the blocks of docs/api.md, "In your language", unchanged. */

const page = await readFile(new URL('../../../docs/api.md', import.meta.url), 'utf8');
const [, section = ''] = page.split('## In your language\n');

/** File name of each language's block, and the command that runs the file. */
const languages = [
  { name: 'curl', file: 'upload.sh', run: ['sh'], missing: lacks('jq', '--version') ?? lacks('curl', '-V') },
  { name: 'Python', file: 'upload.py', run: ['python3'], missing: lacks('python3', '--version') },
  { name: 'Node.js', file: 'upload.mjs', run: [process.execPath], missing: undefined },
  { name: 'Go', file: 'upload.go', run: ['go', 'run'], missing: lacks('go', 'version') },
  { name: 'Java', file: 'Upload.java', run: ['java'], missing: lacks('javac', '-version') },
  { name: 'PHP', file: 'upload.php', run: ['php'], missing: lacks('php', '-r', 'curl_init() || exit(1);') },
  { name: 'Ruby', file: 'upload.rb', run: ['ruby'], missing: lacks('ruby', '-rnet/http', '-e', '') },
] as const;

const content = 'id,total\n1,20\n';
const builds = await temporaryFolder();
const stack = await useRunningStack();
const { client, newFile } = await createApiUser(stack);

/** Runs a language's block in a separate folder with `orders.csv`. */
async function run(
  { name, file, run: [program, ...parameters] }: (typeof languages)[number],
  settings: { readonly baseUrl: string; readonly secret?: string; readonly bytes?: string },
) {
  const [, code] =
    new RegExp(`^### ${name.replace('.', '\\.')}\n[^#]*?^\`\`\`\\w+\n(.*?)^\`\`\`$`, 'ms').exec(section) ??
    [];
  const cwd = await mkdtemp(join(builds, 'home-'));
  await writeFile(join(cwd, file), code ?? expect.fail(`docs/api.md has no block for ${name}`));
  await writeFile(join(cwd, 'orders.csv'), settings.bytes ?? content);
  const env = {
    ...offline,
    PATH: process.env.PATH,
    HOME: cwd,
    GOCACHE: process.env.GOCACHE ?? join(homedir(), '.cache/go-build'),
    FILE_SYNC_BASE_URL: settings.baseUrl,
    FILE_SYNC_CLIENT_ID: client.client_id,
    FILE_SYNC_CLIENT_SECRET: settings.secret ?? client.client_secret,
    FILE_SYNC_FILE_ID: await newFile(),
  };
  const ended = await runProcess(program, [...parameters, file], { env, cwd, timeout: 150_000 });
  return { ...ended, files: await readdir(cwd) };
}

/** Runs a block through a proxy that records its requests. */
async function runSeen(
  language: (typeof languages)[number],
  settings: { secret?: string; bytes?: string } = {},
) {
  const proxy = await startFaultyProxy(stack);
  try {
    return { ...(await run(language, { baseUrl: proxy.baseUrl, ...settings })), seen: proxy.seen };
  } finally {
    await proxy.close();
  }
}

for (const language of languages) {
  describe
    .skipIf(language.missing !== undefined)
    .concurrent(
      `${language.name}${language.missing === undefined ? '' : ` (${language.missing})`}`,
      { timeout: 160_000 },
      () => {
        test.for([
          ['a file', content],
          ['an empty file', ''],
        ])('the block sends %s with its length, and without the token', async ([, bytes = '']) => {
          const { code, stdout, stderr, seen } = await runSeen(language, { bytes });
          expect({ code, stdout: stdout.trim() }, stderr).toEqual({ code: 0, stdout: '200' });
          expect(seen.map(({ kind }) => kind)).toEqual(['token', 'sync', 'put']);
          expect(seen[2]?.headers).toMatchObject({ 'content-length': String(bytes.length) });
          expect(seen[2]?.headers).not.toHaveProperty('transfer-encoding');
          expect(seen[2]?.headers).not.toHaveProperty('authorization');
        });

        test('the block stops at a wrong secret, and does not show the secret', async () => {
          const { code, stdout, stderr, seen } = await runSeen(language, { secret: 'fss_wrong' });
          expect(code).not.toBe(0);
          expect(stdout + stderr).toMatch(/401|invalid_client/);
          expect(stdout + stderr).not.toContain('fss_wrong');
          expect(seen.map(({ kind }) => kind)).toEqual(['token']);
        });
      },
    );
}

const [curl] = languages;
const noWrap = lacks('base64', '-w0', '/dev/null');
const strange = hostileResponses.filter(({ name }) => /^an? (file|ftp) URL$|^an option of curl/.test(name));

describe.skipIf(curl.missing !== undefined)(curl.missing ?? 'curl', () => {
  test.for(strange.map((hostile) => [hostile.name, hostile] as const))(
    'the block sends the file nowhere for %s',
    async ([, hostile]) => {
      const service = await startHostileService(hostile);
      const { code, files } = await run(curl, { baseUrl: service.baseUrl });
      await service.close();
      expect(code).not.toBe(0);
      expect(files.sort()).toEqual(['orders.csv', 'upload.sh']);
      expect(service.seen.map(({ kind }) => kind)).toEqual(['token', 'sync']);
    },
  );

  test.skipIf(noWrap !== undefined)(
    noWrap ?? 'the Basic header that the page builds by hand gets a token',
    async () => {
      const [, header = ''] = /`(\$\(printf [^`]*base64 -w0\))`/.exec(section) ?? [];
      const script = `curl -sS -H "Authorization: Basic ${header}" -d grant_type=client_credentials --url "$FILE_SYNC_BASE_URL/oauth/token"`;
      const env = {
        PATH: process.env.PATH,
        FILE_SYNC_BASE_URL: stack.baseUrl,
        FILE_SYNC_CLIENT_ID: client.client_id,
        FILE_SYNC_CLIENT_SECRET: client.client_secret,
      };
      const { stdout } = await runProcess('sh', ['-c', script], { env });
      expect(stdout).toContain('"token_type":"Bearer"');
    },
  );
});
