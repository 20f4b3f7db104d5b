/**
 * Runs in the process that synthesizes, before the app. When the process ends, it writes which files were read: ES
 * modules, CommonJS modules, what esbuild put into the bundles, and what was opened with `node:fs`.
 */
import { createRequire, register, syncBuiltinESMExports } from 'node:module';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
import { type RecordedInputs, recordedInputsVariable } from './recorded-inputs.ts';

type Anything = (...parameters: never[]) => unknown;

const require = createRequire(import.meta.url);
const fs: Record<string, Anything> = require('node:fs');
const { writeFileSync } = fs as unknown as typeof import('node:fs');
const ownFolders = [resolve(process.env.CDK_OUTDIR ?? ''), join(homedir(), '.cdk', 'cache')].map(
  (path) => path + sep,
);
const files = new Set<string>();
let bundles = 0;

const { port1: fromHooks, port2: toRecorder } = new MessageChannel();
register('./module-hooks.mjs', import.meta.url, { data: { port: toRecorder }, transferList: [toRecorder] });
recordFileSystem();
process.once('exit', write);

function note(path: string): void {
  const absolute = resolve(path);
  // The app reads what it has just written. The CDK keeps digests of files, by their names, sizes and times.
  if (!ownFolders.some((folder) => `${absolute}${sep}`.startsWith(folder))) {
    files.add(absolute);
  }
}

function recordFileSystem(): void {
  for (const name of [
    'readFileSync',
    'openSync',
    'readdirSync',
    'readFile',
    'open',
    'createReadStream',
    'copyFileSync',
    'copyFile',
    'cpSync',
  ]) {
    const original = fs[name] as (...parameters: unknown[]) => unknown;
    fs[name] = (...parameters: unknown[]) => {
      const [path] = parameters;
      if (typeof path === 'string') {
        note(path);
      } else if (path instanceof URL) {
        note(fileURLToPath(path));
      }
      return original.apply(fs, parameters);
    };
  }
  syncBuiltinESMExports();
}

/** Notes what esbuild put into a bundle. */
export function noteBundle(metafile: { readonly inputs: object }, folder = process.cwd()): void {
  bundles += 1;
  for (const input of Object.keys(metafile.inputs)) {
    // Other names are of what is not a file, such as `(disabled):crypto`.
    if (!/^[(<]/.test(input)) {
      note(resolve(folder, input));
    }
  }
}

function write(): void {
  for (let message = receiveMessageOnPort(fromHooks); message; message = receiveMessageOnPort(fromHooks)) {
    note(fileURLToPath(String(message.message).replace(/[?#].*$/, '')));
  }
  for (const path of Object.keys(require.cache).filter(isAbsolute)) {
    note(path.replace(/\?.*$/, ''));
  }
  const target = process.env[recordedInputsVariable];
  if (target !== undefined) {
    const inputs: RecordedInputs = { files: [...files], bundles };
    writeFileSync(target, JSON.stringify(inputs), { mode: 0o600 });
  }
}
