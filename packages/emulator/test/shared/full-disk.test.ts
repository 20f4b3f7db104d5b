import { existsSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { openLogFile } from '../../logs/log-file.ts';
import { createFullDiskReporter, fullDiskReason } from '../../shared/full-disk.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });

test('a full disk is reported once a minute', () => {
  // Counts from the start: the clock of the process may be far ahead of the test's clock.
  vi.useFakeTimers({ toFake: ['performance'] });
  const messages: string[] = [];
  const disk = createFullDiskReporter('/state', (line) => messages.push(line));
  disk.reportFailure(new Error('another'));
  expect(messages).toEqual([]);
  disk.reportFailure(full);
  disk.reportFailure(full);
  expect(messages).toEqual([
    'The state in /state cannot grow: no space is left on the disk (ENOSPC). Stored data is safe. Requests that store data fail with 500. Free some space, and start again.',
  ]);
  vi.advanceTimersByTime(120_000);
  disk.reportFailure(full);
  vi.useRealTimers();
  expect(messages).toHaveLength(2);
});

test('a full disk is recognized by the code, the message or the cause', () => {
  const texts = ['000005.log: No space left on device', 'esbuild: disk quota exceeded', 'failed'];
  const errors = [new Error('failed', { cause: full }), ...texts.map((text) => new Error(text))];
  expect(errors.map(fullDiskReason)).toEqual([
    'no space is left on the disk (ENOSPC)',
    'no space is left on the disk (ENOSPC)',
    'the disk quota is used up (EDQUOT)',
    undefined,
  ]);
});

test.runIf(existsSync('/dev/full'))('lines for a full disk are dropped and do no harm', async () => {
  const folder = await temporaryFolder();
  const messages: string[] = [];
  const path = join(folder, 'full.log');
  await symlink('/dev/full', path);
  const disk = createFullDiskReporter(folder, (line) => messages.push(line));
  const log = openLogFile(path, disk);
  log.write('one');
  expect(messages).toHaveLength(1);
  log.write('two');
  log.close();
  expect(messages).toHaveLength(1);
});
