import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openLogFile } from '../../logs/log-file.ts';
import { createDiskTrouble, diskReason, untoldDiskTrouble } from '../../shared/disk-trouble.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'disk-trouble-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });

test('a full disk is told once', () => {
  const said: string[] = [];
  const disk = createDiskTrouble('/state', (line) => said.push(line));
  disk.noteFailure(new Error('another'));
  expect(said).toEqual([]);
  disk.noteFailure(full);
  disk.noteFailure(full);
  expect(said).toEqual([
    expect.stringMatching(/^The state in \/state cannot grow: .*\(ENOSPC\)\..*Free some space/),
  ]);
});

test('the words of LevelDB and the cause of an error tell as much as a code', () => {
  expect(diskReason(new Error('IO error: 000005.log: No space left on device'))).toMatch(/ENOSPC/);
  expect(diskReason(new Error('failed', { cause: full }))).toMatch(/ENOSPC/);
  expect(diskReason(new Error('failed'))).toBeUndefined();
});

test.runIf(existsSync('/dev/full'))('lines for a full disk are dropped and do no harm', async () => {
  const said: string[] = [];
  const path = join(folder, 'full.log');
  await symlink('/dev/full', path);
  const disk = createDiskTrouble(folder, (line) => said.push(line));
  const log = openLogFile(path, disk);
  log.write('one');
  await expect.poll(() => said.length).toBe(1);
  log.write('two');
  await log.close();
  expect(said).toHaveLength(1);
});

test('lines are written in order, and the file ends with the last of them', async () => {
  const path = join(folder, 'some.log');
  const log = openLogFile(path, untoldDiskTrouble);
  for (const line of ['one', 'two', 'three']) {
    log.write(line);
  }
  await log.close();
  expect(readFileSync(path, 'utf8')).toBe('one\ntwo\nthree\n');
});

test('lines that were dropped are counted in the file, and a line that was cut short is ended', async () => {
  const disk = { isFull: true, room: 0 };
  let text = '';
  const file = {
    write: async (bytes: Buffer, offset: number) => {
      const bytesWritten = disk.isFull ? Math.min(disk.room, bytes.length - offset) : bytes.length - offset;
      disk.room -= bytesWritten;
      text += bytes.toString('utf8', offset, offset + bytesWritten);
      if (bytesWritten === 0) {
        throw full;
      }
      return { bytesWritten };
    },
    close: async () => undefined,
  };
  const failures: unknown[] = [];
  const log = openLogFile(
    'some.log',
    { ...untoldDiskTrouble, noteFailure: (error) => failures.push(error) },
    async () => file,
  );
  disk.room = 2;
  log.write('one');
  await expect.poll(() => failures).toEqual([full]);
  log.write('two');
  await expect.poll(() => failures).toEqual([full, full]);
  disk.isFull = false;
  log.write('three');
  await log.close();
  const notice = { level: 'WARN', message: 'log lines were dropped: the disk was full', lines: 2 };
  expect(text).toBe(`on\n${JSON.stringify(notice)}\nthree\n`);
});

test('lines that were dropped are counted when the log is closed, if nothing was written since', async () => {
  const isFull = { value: true };
  let text = '';
  const log = openLogFile('some.log', untoldDiskTrouble, async () => ({
    write: async (bytes, offset) => {
      if (isFull.value) {
        throw full;
      }
      text += bytes.toString('utf8', offset);
      return { bytesWritten: bytes.length - offset };
    },
    close: async () => undefined,
  }));
  log.write('one');
  await new Promise((resolve) => setImmediate(resolve));
  isFull.value = false;
  await log.close();
  expect(text).toMatch(/^\{.*"lines":1\}\n$/);
});
