import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { offline } from '../../support/missing-tool.ts';
import { confidential, credentials, type HostileAnswer, hostileAnswers } from './hostile-answers.ts';
import { startHostileService } from './hostile-service.ts';
import { allExamples, type Example } from './tools.ts';

/** Each program against each answer of {@link hostileAnswers}, in a folder and a home of its own. */

const root = fileURLToPath(new URL('../../../', import.meta.url));
const page = await readFile(join(root, 'README.md'), 'utf8');
const block = /<!-- curl:start -->\n```sh\n([\s\S]*?)```/.exec(page)?.[1] ?? '';

/** In milliseconds. curl gives up on an answer to a PUT after 120 s below 1000 bytes each. */
const longestDrip = 150_000;

const programs: readonly (Example & { readonly ownWords?: boolean })[] = [
  ...allExamples,
  {
    name: 'the block of README.md',
    missing: allExamples.find(({ name }) => name === 'curl')?.missing,
    run: () => ['sh', '-c', block],
    ownWords: true,
  },
  {
    name: 'the upload command',
    missing: undefined,
    run: () => [process.execPath, '--import', import.meta.resolve('tsx'), join(root, 'tools/upload/main.ts')],
    ownWords: true,
  },
];

let builds: string;

beforeAll(async () => {
  builds = await mkdtemp(join(tmpdir(), 'file-sync-hostile-builds-'));
  const runnable = programs.filter(({ missing }) => missing === undefined);
  await Promise.all(
    runnable.map(async ({ build }) => {
      if (build !== undefined) {
        const { command, parameters } = build(builds);
        await promisify(execFile)(command, parameters, { env: { ...process.env, ...offline } });
      }
    }),
  );
});

afterAll(() => rm(builds, { recursive: true, force: true }));

/** Runs a program, and returns what it printed, what left the machine, and which files are there. */
async function run({ run: program }: Example, hostile: HostileAnswer) {
  const folder = await mkdtemp(join(tmpdir(), 'file-sync-hostile-'));
  await writeFile(join(folder, 'orders.csv'), 'id,total\n');
  const service = await startHostileService(hostile);
  const [command, ...parameters] = program(builds);
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    FILE_SYNC_BASE_URL: service.baseUrl,
    FILE_SYNC_CLIENT_ID: credentials.clientId,
    FILE_SYNC_CLIENT_SECRET: hostile.secret ?? credentials.secret,
    FILE_SYNC_FILE_ID: 'orders',
  };
  try {
    const ended = await new Promise<{ code: number | null; printed: string }>((resolve) => {
      const options = { env, cwd: folder, timeout: longestDrip, maxBuffer: 1 << 30 };
      const child = execFile(command, [...parameters, 'orders.csv'], options, (_, stdout, stderr) =>
        resolve({ code: child.exitCode, printed: stdout + stderr }),
      );
    });
    return { ...ended, seen: service.seen, files: await readdir(folder) };
  } finally {
    service.close();
    await rm(folder, { recursive: true, force: true });
  }
}

describe.concurrent.each(programs)('$name', ({ ...program }) => {
  const { name } = program;
  describe
    .skipIf(program.missing !== undefined)
    .concurrent(program.missing ?? 'against hostile answers', () => {
      const answers = hostileAnswers.filter(({ programs: only = [name] }) => only.includes(name));
      test.for(answers.map((hostile) => [`${hostile.to}: ${hostile.name}`, hostile] as const))(
        'withstands %s',
        { timeout: longestDrip },
        async ([, hostile]) => {
          const { code, printed, seen, files } = await run(program, hostile);
          expect(files).toEqual(['orders.csv']);
          const succeeds = hostile.once === true && program.name !== 'the block of README.md';
          expect(succeeds ? code : code !== 0 && code !== null, printed.slice(0, 2000)).toBe(
            succeeds ? 0 : true,
          );
          expect(/is uploaded into|^uploaded$/m.test(printed)).toBe(succeeds);
          expect(printed.replaceAll('\n', '')).toMatch(/^[ -~\u2026\ufffd]*$/);
          expect(printed.length).toBeLessThan(2_000);
          expect(confidential.filter((text) => printed.includes(text))).toEqual([]);
          expect(printed).not.toMatch(/Traceback|Exception|panic|\n\s+at /);
          expect(program.ownWords === true ? '' : printed).toMatch(
            program.ownWords === true ? /^$/ : hostile.says,
          );
          expect(seen.filter(({ kind }) => kind === 'other').map(({ path }) => path)).toEqual(
            program.name === 'the block of README.md' && hostile.to !== 'token' ? ['/v0/volumes'] : [],
          );
        },
      );
    });
});
