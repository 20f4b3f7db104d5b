import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartProblem } from 'cloud-assembly-emulator';
import { temporaryFolder } from 'cloud-assembly-emulator/test/temporary-folder';
import type { RunFile } from '../../../../tools/local/local-deployment.ts';
import { openState, writeRunFile } from '../../../../tools/local/start/state-directory.ts';

let parent: string;
let path: string;

beforeEach(async () => {
  parent = await temporaryFolder();
  path = join(parent, 'state');
});

describe('the state folder', () => {
  test('is created with its parents, only for its owner', () => {
    const deep = join(parent, 'a', 'b', 'c');
    openState(deep).release();
    const modes = [deep, join(parent, 'a')].map((folder) => (statSync(folder).mode & 0o777).toString(8));
    expect(modes).toEqual(['700', '700']);
  });

  test('keeps its content, except the run.json of a killed run', () => {
    openState(path).release();
    writeFileSync(join(path, 'aws', 'kept'), '');
    writeFileSync(join(path, 'run.json'), '{}');
    openState(path).release();
    expect(existsSync(join(path, 'aws', 'kept'))).toBe(true);
    expect(existsSync(join(path, 'run.json'))).toBe(false);
  });

  test('is emptied when a fresh start is wanted', () => {
    openState(path).release();
    writeFileSync(join(path, 'aws', 'kept'), '');
    writeFileSync(join(path, 'custom-resources.json'), '{}');
    const { release } = openState(path, true);
    expect(existsSync(join(path, 'aws', 'kept'))).toBe(false);
    expect(readdirSync(path).toSorted()).toEqual(['.file-sync-state', 'aws', 'lock.json', 'logs']);
    release();
  });

  test('may be a folder that is empty', () => {
    mkdirSync(path);
    openState(path).release();
    expect(existsSync(join(path, '.file-sync-state'))).toBe(true);
  });

  test.for([false, true])('cannot be a folder with other files (fresh: %s)', (fresh) => {
    mkdirSync(path);
    writeFileSync(join(path, 'diary.txt'), 'dear diary');
    expect(() => openState(path, fresh)).toThrow(new RegExp(`^${path} holds other things .* --state\\.$`));
    expect(readdirSync(path)).toEqual(['diary.txt']);
  });

  test.for(['x'.repeat(300), 'file', 'file/state', 'other'])('cannot be in %.20s', (name) => {
    writeFileSync(join(parent, 'file'), '');
    mkdirSync(join(parent, 'other'));
    writeFileSync(join(parent, 'other', '.file-sync-state'), '');
    writeFileSync(join(parent, 'other', 'logs'), '');

    const open = () => openState(join(parent, name));
    expect(open).toThrow(StartProblem);
    expect(open).toThrow(/^The state cannot be kept in .*: .*with --state\.$/);
  });
});

/** Returns the start time of a process as in the lock: field 22 of proc(5), or null without /proc. */
function startTimeOf(pid: number): string | null {
  const stat = `/proc/${pid}/stat`;
  return existsSync(stat) ? (readFileSync(stat, 'utf8').split(') ').at(-1)?.split(' ')[19] ?? null) : null;
}

describe('its lock', () => {
  const lock = () => join(path, 'lock.json');
  const holderOf = (pid: number) => ({ pid, startTime: startTimeOf(pid) });

  test('names this process, for its owner alone, until it is released', () => {
    const { release } = openState(path);
    expect(JSON.parse(readFileSync(lock(), 'utf8'))).toEqual(holderOf(process.pid));
    expect(statSync(lock()).mode & 0o777).toBe(0o600);
    release();
    expect(existsSync(lock())).toBe(false);
  });

  test('is not taken from a process that lives', () => {
    openState(path).release();
    const holder = holderOf(process.ppid);
    writeFileSync(lock(), JSON.stringify(holder));
    expect(() => openState(path)).toThrow(StartProblem);
    expect(() => openState(path, true)).toThrow(
      `Another local run (process ${process.ppid}) uses this state folder; its lock is ${lock()}. Stop it, or choose another folder with --state`,
    );
    expect(JSON.parse(readFileSync(lock(), 'utf8'))).toEqual(holder);
  });

  test('keeps the state of a process that lives from a fresh start', () => {
    openState(path).release();
    writeFileSync(lock(), JSON.stringify(holderOf(process.ppid)));
    expect(() => openState(path, true)).toThrow(StartProblem);
    expect(readdirSync(path)).toContain('aws');
  });

  test.for<[string, () => unknown]>([
    // This id is above all process ids (proc(5), pid_max: at most 2^22).
    ['from a process that is gone', () => ({ pid: 2 ** 22 + 1, startTime: null })],
    ['when another process has the id now', () => ({ pid: process.ppid, startTime: '1' })],
    ['when this process has the id now', () => holderOf(process.pid)],
    ['when it was cut off while it was written', () => undefined],
  ])('is taken over %s', ([, holder]) => {
    openState(path).release();
    writeFileSync(lock(), JSON.stringify(holder()) ?? '{"pi');
    openState(path);
    expect(JSON.parse(readFileSync(lock(), 'utf8'))).toEqual(holderOf(process.pid));
  });

  test.for<[string, () => void]>([
    ['is gone', () => rmSync(lock())],
    ['another process has', () => writeFileSync(lock(), JSON.stringify(holderOf(process.ppid)))],
  ])('is left alone by a release when it %s', ([, change]) => {
    const { release } = openState(path);
    change();
    const before = readdirSync(path);
    release();
    expect(readdirSync(path)).toEqual(before);
  });
});

test('a run file that is gone need not be removed', () => {
  const remove = writeRunFile(join(parent, 'run.json'), {} as RunFile);
  rmSync(join(parent, 'run.json'));
  expect(remove).not.toThrow();
});
