import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFaults } from 'cloud-assembly-emulator/faults';
import { temporaryFolder } from 'cloud-assembly-emulator/test/temporary-folder';
import { describe, expect, test } from 'vitest';
import { adminLines } from '../../../../tools/local/demo/admin-lines.ts';
import { openState } from '../../../../tools/local/start/state-directory.ts';
import { startHere } from '../support/start-here.ts';

const projectRoot = fileURLToPath(new URL('../../../../', import.meta.url));

test.for([
  ['.local', '--local'],
  ['state/of mine', `--local --state '${resolve(projectRoot, 'state/of mine')}'`],
])('names the state folder in admin lines only if they need it: %s', ([folder = '', flags]) => {
  const stateDirectory = resolve(projectRoot, folder);
  const [first, ...others] = adminLines({ client: { client_id: 'c' }, fileId: 'f', stateDirectory });
  expect(first).toBe(`npm run -s admin -- ${flags} client show c`);
  expect(others).toContain(`npm run -s admin -- ${flags} upload list --file f`);
});

describe('a demonstration that fails', async () => {
  const stateDirectory = await temporaryFolder();
  openState(stateDirectory, false).release();
  setFaults(stateDirectory, { sts: 'failing' });
  const run = await startHere({ stateDirectory, isTTY: true, flags: '--no-console' });

  test('says why, and that the API serves', () => {
    expect(run.stderr()).toMatch(
      /^The demonstration failed: POST http:\/\/127\.0\.0\.1:\d+\/v0\/files\/file_\w+\/sync was answered 500 {"error":"internal_error",.*}\nThe API serves all the same\. The logs are in .*logs$/m,
    );
    expect(run.stdout()).toContain('\nready ');
  });

  test('shows the error of the function', () => {
    expect(run.stderr()).toMatch(/^file-sync-prod-SyncFunction\w+: {.*"level":"ERROR"/m);
  });

  test('is in colours in a terminal', () => {
    expect(run.stdout()).toContain('\n\u001b[1mDemonstration of an upload');
    expect(run.stdout()).toContain('\n\u001b[36m1.\u001b[39m The operator');
    expect(run.stdout()).toContain('\n   \u001b[2mclient id    \u001b[22m client_');
  });

  test('sends its events to no URL', () => {
    const path = join(stateDirectory, 'events.jsonl');
    expect(run.stdout()).toContain(`\nEvents of uploads are appended to ${path}\n`);
  });
});

test('a demonstration that is stopped is no failure, and no run is then ready', async () => {
  const run = await startHere({
    stateDirectory: await temporaryFolder(),
    flags: '--no-console',
    isTTY: true,
    env: { NO_COLOR: '1' },
    until: '\nDemonstration',
  });
  expect(await run.stop()).toBe(0);
  expect([run.stdout(), run.stderr()]).toEqual([expect.not.stringContaining('ready'), '']);
});
