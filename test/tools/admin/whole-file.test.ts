import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from 'cloud-assembly-emulator/test/temporary-folder';
import { writeWholeFile } from '../../../tools/admin/whole-file.ts';
import { builtProgram } from '../../support/built-program.ts';

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await temporaryFolder();
  path = join(folder, 'out.csv');
});

/** Yields a text in two parts, and calls `between` after the first part was read. */
async function* partsOf(text: string, between: () => unknown = () => undefined) {
  yield Buffer.from(text.slice(0, 3));
  await between();
  yield Buffer.from(text.slice(3));
}

describe('a file that is written', () => {
  test('is under its path when it is whole, and nothing else is beside it', async () => {
    const seen = vi.fn(async () => expect(await readdir(folder)).not.toContain('out.csv'));
    await writeWholeFile(path, partsOf('content', seen), false);
    expect(seen).toHaveBeenCalledOnce();
    expect(await readFile(path, 'utf8')).toBe('content');
    expect(await readdir(folder)).toEqual(['out.csv']);
  });

  test('to the path of another one: the first that is whole stays', async () => {
    const second = writeWholeFile(
      path,
      partsOf('second', () => writeWholeFile(path, partsOf('first'), false)),
      false,
    );
    await expect(second).rejects.toThrow('already exists. Add --force');
    expect(await readFile(path, 'utf8')).toBe('first');
    expect(await readdir(folder)).toEqual(['out.csv']);
  });

  test('leaves a file of somebody else that is named as a part', async () => {
    await writeFile(`${path}.partial`, 'theirs');
    await writeWholeFile(path, partsOf('content'), false);
    expect(await readFile(`${path}.partial`, 'utf8')).toBe('theirs');
  });

  test('leaves nothing when its bytes do not come', async () => {
    const broken = partsOf('content', () => Promise.reject(new Error('cut')));
    await expect(writeWholeFile(path, broken, false)).rejects.toThrow('cut. Nothing was written');
    expect(await readdir(folder)).toEqual([]);
  });

  test.for([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('leaves nothing when the process gets %s', async ([signal, code]) => {
    const program = await builtProgram('test/tools/admin/support/endless-file.ts');
    const child = spawn(process.execPath, [program, path]);
    await expect.poll(() => readdir(folder)).toHaveLength(1);
    child.kill(signal);
    expect(await once(child, 'exit')).toEqual([code, null]);
    expect(await readdir(folder)).toEqual([]);
  });
});
