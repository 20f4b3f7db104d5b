import { existsSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { openLogFile } from '../../logs/log-file.ts';
import { createDiskTrouble, diskReason } from '../../shared/disk-trouble.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });

test('a full disk is told once a minute', () => {
  // Counts from the start: the clock of the process may be far ahead of the test's clock.
  vi.useFakeTimers({ toFake: ['performance'] });
  const said: string[] = [];
  const disk = createDiskTrouble('/state', (line) => said.push(line));
  disk.noteFailure(new Error('another'));
  expect(said).toEqual([]);
  disk.noteFailure(full);
  disk.noteFailure(full);
  expect(said).toEqual([
    'The state in /state cannot grow: no space is left on the disk (ENOSPC). What was stored is safe. Requests that store something get 500. Free some space: then the emulator goes on, without a new start.',
  ]);
  vi.advanceTimersByTime(120_000);
  disk.noteFailure(full);
  vi.useRealTimers();
  expect(said).toHaveLength(2);
});

test('the words of LevelDB and the cause of an error tell as much as a code', () => {
  const texts = ['000005.log: No space left on device', 'esbuild: disk quota exceeded', 'failed'];
  const errors = [new Error('failed', { cause: full }), ...texts.map((text) => new Error(text))];
  expect(errors.map(diskReason)).toEqual([
    'no space is left on the disk (ENOSPC)',
    'no space is left on the disk (ENOSPC)',
    'the disk quota is used up (EDQUOT)',
    undefined,
  ]);
});

test.runIf(existsSync('/dev/full'))('lines for a full disk are dropped and do no harm', async () => {
  const folder = await temporaryFolder();
  const said: string[] = [];
  const path = join(folder, 'full.log');
  await symlink('/dev/full', path);
  const disk = createDiskTrouble(folder, (line) => said.push(line));
  const log = openLogFile(path, disk);
  log.write('one');
  expect(said).toHaveLength(1);
  log.write('two');
  log.close();
  expect(said).toHaveLength(1);
});
