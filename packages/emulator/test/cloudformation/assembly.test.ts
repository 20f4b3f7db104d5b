import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readAssembly } from '../../cloudformation/assembly.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('a manifest that is of another type is named, with how to make it again', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 'manifest.json');
  await writeFile(path, '{"artifacts":1}');
  expect(() => readAssembly(folder)).toThrow(
    `The state file ${path} is broken: artifacts: Invalid type: Expected Object but received 1. It is made from the app: move the folder ${folder} away, and the next start makes it again.`,
  );
});
