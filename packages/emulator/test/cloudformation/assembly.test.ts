import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readAssembly } from '../../cloudformation/assembly.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test.for([
  ['empty', '', 'it is empty'],
  ['cut short', '{"artifacts":', 'it is not JSON, or is cut short'],
  ['of another type', '{"artifacts":1}', 'artifacts: Invalid type: Expected Object but received 1'],
])('a manifest that is %s is named, with how to make it again', async ([, content = '', wrong]) => {
  const folder = await temporaryFolder();
  const path = join(folder, 'manifest.json');
  await writeFile(path, content);
  expect(() => readAssembly(folder)).toThrow(
    `The state file ${path} is broken: ${wrong}. It is made from the app: move the folder ${folder} away, and the next start makes it again.`,
  );
});
