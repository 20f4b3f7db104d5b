import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartProblem } from 'cloud-assembly-emulator';
import { temporaryFolder } from 'cloud-assembly-emulator/test/temporary-folder';
import { beforeEach, describe, expect, test } from 'vitest';
import { openState } from '../../../../tools/local/start/state-directory.ts';

let parent: string;
let path: string;

beforeEach(async () => {
  parent = await temporaryFolder();
  path = join(parent, 'state');
});

describe('the state folder', () => {
  test('is made with its parents, for its owner alone', () => {
    const deep = join(parent, 'a', 'b', 'c');
    openState(deep, false).release();
    const modes = [deep, join(parent, 'a')].map((folder) => (statSync(folder).mode & 0o777).toString(8));
    expect(modes).toEqual(['700', '700']);
  });

  test('keeps what is in it, but for the run.json of a run that was killed', () => {
    openState(path, false).release();
    writeFileSync(join(path, 'aws', 'kept'), '');
    writeFileSync(join(path, 'run.json'), '{}');
    openState(path, false).release();
    expect(existsSync(join(path, 'aws', 'kept'))).toBe(true);
    expect(existsSync(join(path, 'run.json'))).toBe(false);
  });

  test('is emptied when a fresh start is wanted', () => {
    openState(path, false).release();
    writeFileSync(join(path, 'aws', 'kept'), '');
    writeFileSync(join(path, 'custom-resources.json'), '{}');
    openState(path, true).release();
    expect(existsSync(join(path, 'aws', 'kept'))).toBe(false);
    expect(existsSync(join(path, 'custom-resources.json'))).toBe(false);
    openState(path, false).release();
  });

  test.for([false, true])('is not what belongs to somebody else (fresh: %s)', (fresh) => {
    mkdirSync(path);
    writeFileSync(join(path, 'diary.txt'), 'dear diary');
    expect(() => openState(path, fresh)).toThrow(/holds other things/);
    expect(readdirSync(path)).toEqual(['diary.txt']);
  });

  test.for(['x'.repeat(300), 'file', 'file/state', 'other'])('cannot be in %.20s', (name) => {
    writeFileSync(join(parent, 'file'), '');
    mkdirSync(join(parent, 'other'));
    writeFileSync(join(parent, 'other', '.file-sync-state'), '');
    writeFileSync(join(parent, 'other', 'logs'), '');

    const open = () => openState(join(parent, name), false);
    expect(open).toThrow(StartProblem);
    expect(open).toThrow(/^The state cannot be kept in .*: .*with --state\.$/);
  });
});

/** As the lock tells processes apart: field 22 of proc(5), and null without /proc. */
function startTimeOf(pid: number): string | null {
  const stat = `/proc/${pid}/stat`;
  return existsSync(stat) ? (readFileSync(stat, 'utf8').split(') ').at(-1)?.split(' ')[19] ?? null) : null;
}

describe('its lock', () => {
  test('is not taken from a process that lives', () => {
    openState(path, false).release();
    const holder = { pid: process.ppid, startTime: startTimeOf(process.ppid) };
    const lock = join(path, 'lock.json');
    writeFileSync(lock, JSON.stringify(holder));
    expect(() => openState(path, false)).toThrow(StartProblem);
    expect(() => openState(path, true)).toThrow(`Another local run (process ${process.ppid}) uses`);
    expect(JSON.parse(readFileSync(lock, 'utf8'))).toEqual(holder);
  });

  test.for<[string, unknown]>([
    // Process ids end well below this one (proc(5), pid_max: at most 2^22).
    ['from a process that is gone', { pid: 2 ** 22 + 1, startTime: '1' }],
    ['when another process has the id now', { pid: process.ppid, startTime: '1' }],
    ['when it was cut off while it was written', '{"pi'],
  ])('is taken over %s', ([, content]) => {
    openState(path, false).release();
    writeFileSync(join(path, 'lock.json'), typeof content === 'string' ? content : JSON.stringify(content));
    expect(() => openState(path, false).release()).not.toThrow();
  });
});
