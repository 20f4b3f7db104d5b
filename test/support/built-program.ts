import { basename, join } from 'node:path';
import { temporaryFolder } from 'cloud-assembly-emulator/test/temporary-folder';
import { buildParts } from '../../tools/generate/build-tool.ts';

/**
 * Builds a program of this project, e.g. `tools/upload/main.ts`, like the tools. It starts in a third of the time
 * of its sources, and is removed at the end of the calling test, or of the file.
 *
 * @returns path of the built file
 */
export async function builtProgram(program: string): Promise<string> {
  const folder = await temporaryFolder();
  await buildParts(program, folder);
  return join(folder, basename(program).replace('.ts', '.mjs'));
}
