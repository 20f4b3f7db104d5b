import { mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from 'cloud-assembly-emulator/test/temporary-folder';
import { describe, expect, test } from 'vitest';
import { confidential, credentials, type HostileResponse, hostileResponses } from './hostile-responses.ts';
import { startHostileService } from './hostile-service.ts';
import { type Example, maxRun, runExample, uploadCommand } from './tools.ts';

/**
 * Runs each program against each response of {@link hostileResponses}, in a separate working and home folder.
 */

const programs = [uploadCommand];

const builds = await temporaryFolder();

/** Runs a program, and returns its output, the requests that it sent, and the files in its folder. */
async function run(program: Example, hostile: HostileResponse) {
  const folder = await mkdtemp(join(builds, 'home-'));
  await writeFile(join(folder, 'orders.csv'), 'id,total\n');
  const service = await startHostileService(hostile);
  try {
    const { code, stdout, stderr } = await runExample(program.run(builds), 'orders.csv', folder, {
      BASE_URL: service.baseUrl,
      CLIENT_ID: credentials.clientId,
      CLIENT_SECRET: hostile.secret ?? credentials.secret,
      FILE_ID: 'orders',
    });
    return { code, printed: stdout + stderr, seen: service.seen, files: await readdir(folder) };
  } finally {
    await service.close();
  }
}

describe.concurrent.for(programs)('$name', (program) => {
  const { name } = program;
  describe
    .skipIf(program.missing !== undefined)
    .concurrent(program.missing ?? 'against hostile responses', () => {
      const responses = hostileResponses.filter(({ programs: only = [name] }) => only.includes(name));
      test.for(responses.map((hostile) => [`${hostile.to}: ${hostile.name}`, hostile] as const))(
        'withstands %s',
        { timeout: maxRun },
        async ([, hostile]) => {
          const { code, printed, seen, files } = await run(program, hostile);
          expect(files).toEqual(['orders.csv']);
          const succeeds = hostile.once === true;
          expect(succeeds ? code : code !== 0 && code !== null, printed.slice(0, 2000)).toBe(
            succeeds ? 0 : true,
          );
          expect(printed.includes('is uploaded into')).toBe(succeeds);
          expect(printed.replaceAll('\n', '')).toMatch(/^[ -~\u2026\ufffd]*$/);
          expect(printed.length).toBeLessThan(2_000);
          expect(confidential.filter((text) => printed.includes(text))).toEqual([]);
          expect(printed).not.toMatch(/Traceback|Exception|panic|\n\s+at /);
          expect(seen.filter(({ kind }) => kind === 'other')).toEqual([]);
        },
      );
    });
});
