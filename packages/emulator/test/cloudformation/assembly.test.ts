import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readAssembly } from '../../cloudformation/assembly.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('a manifest of another type is rejected by name, with a remedy', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 'manifest.json');
  await writeFile(path, '{"artifacts":1}');
  expect(() => readAssembly(folder)).toThrow(
    `The state file ${path} is broken: artifacts: Invalid type: Expected Object but received 1. Move the folder ${folder} away: the next start creates it again from the app.`,
  );
});
