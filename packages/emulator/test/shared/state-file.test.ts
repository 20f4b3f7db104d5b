import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { StartProblem } from '../../shared/errors.ts';
import { readStateFile } from '../../shared/state-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = await temporaryFolder();

const schema = v.object({ id: v.string(), sentAt: v.number() });

const read = (path: string) => readStateFile(path, schema, 'Do this.');

test.for([
  ['empty', '', 'it is empty'],
  ['truncated', '{"id":"a","sent', 'it is not JSON, or is truncated'],
  ['binary', Buffer.from([0, 159, 146, 150]), 'it is not JSON, or is truncated'],
  ['of another type', '{"id":"a","sentAt":"b"}', 'sentAt: Invalid type: Expected number but received "b"'],
  ['another document', 'null', 'its content: Invalid type: Expected Object but received null'],
] as const)('names a file that is %s, its damage, and the remedy', async ([name, content, wrong]) => {
  const path = join(folder, `${name}.json`);
  await writeFile(path, content);
  await expect(read(path)).rejects.toEqual(
    new StartProblem(`The state file ${path} is broken: ${wrong}. Do this.`),
  );
});

test('rejects a folder in place of a file, by name', async () => {
  const path = join(folder, 'folder.json');
  await mkdir(path);
  await expect(read(path)).rejects.toThrow(`The state file ${path} is broken: EISDIR`);
});

test('reads a complete file, and returns undefined without one', async () => {
  const path = join(folder, 'whole.json');
  await writeFile(path, '{"id":"a","sentAt":1}');
  expect(await read(path)).toEqual({ id: 'a', sentAt: 1 });
  expect(await read(join(folder, 'absent.json'))).toBeUndefined();
});
