import { fileURLToPath } from 'node:url';

/** Does what `node --import tsx` does in the project's folder, for programs that are started in any folder. */

const projectRoot = fileURLToPath(new URL('../', import.meta.url));
// Otherwise tsx would apply the `paths` of a tsconfig.json in the folder that the reader is in.
process.env.TSX_TSCONFIG_PATH = `${projectRoot}tsconfig.json`;
try {
  await import('tsx');
} catch {
  process.stderr.write(`error: The packages are not installed. Run npm ci in ${projectRoot}\n`);
  process.exit(1);
}
