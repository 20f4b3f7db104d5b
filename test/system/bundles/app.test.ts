import { chmod, cp, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from 'cloud-assembly-emulator/test/temporary-folder';
import { runProcess } from '../../support/run-process.ts';
import { everySetting } from '../../support/synthesized.ts';

const projectRoot = fileURLToPath(new URL('../../../', import.meta.url));

/** Runs the app as the CDK CLI does. */
function synthesize(outputFolder: string, context: Readonly<Record<string, unknown>>, umask = '022') {
  const command = `umask ${umask} && exec "$0" --import tsx bin/app.ts`;
  const env = {
    ...process.env,
    CDK_OUTDIR: outputFolder,
    CDK_CONTEXT_JSON: JSON.stringify(context),
    // Without CloudFormation's rules, which take half the time.
    CDK_VALIDATION: 'false',
  };
  return runProcess('sh', ['-c', command, process.execPath], { cwd: projectRoot, env });
}

const folder = await temporaryFolder();

test('a wrong setting stops the app with one sentence and no stack trace', async () => {
  const outcome = await synthesize(join(folder, 'wrong'), { tokenLifetimeSeconds: '1h' });
  expect(outcome).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'The value "1h" of tokenLifetimeSeconds is not allowed: it must be a whole number from 300 to 86400.\n',
  });
  const written = await readdir(join(folder, 'wrong')).catch(() => []);
  expect(written.filter((file) => file.endsWith('.json'))).toEqual([]);
});

const output = join(folder, 'bundled');
// Folder as the CDK CLI creates it with umask 000.
await mkdir(output);
await chmod(output, 0o777);
const synthesized = await synthesize(output, everySetting, '000');
expect(synthesized.code, synthesized.stderr).toBe(0);
const bundles = await bundlesIn(output, 'file-sync-dev');

test('each of the seven functions has a bundle of its own', () => {
  expect(new Set(bundles.map((bundle) => bundle.folder)).size).toBe(7);
});

/** Returns the assets of an assembly, and their files. One asset belongs to a function of the CDK. */
async function assetsIn(assembly: string) {
  const names = (await readdir(assembly)).filter((name) => name.startsWith('asset.'));
  const folders = names.map((name) => join(assembly, name));
  const files = await Promise.all(
    folders.map(async (path) => (await readdir(path)).map((it) => join(path, it))),
  );
  return { folders, files: files.flat() };
}

async function modesOf(paths: readonly string[]) {
  const modes = await Promise.all(paths.map(async (path) => ((await stat(path)).mode & 0o777).toString(8)));
  return [...new Set(modes)];
}

/** The same assembly, synthesized again after another user changed its assets. */
const again = join(folder, 'again');
await cp(output, again, { recursive: true });
const planted = await assetsIn(again);
await Promise.all(planted.files.map((file) => writeFile(file, 'planted')));
await Promise.all(planted.folders.map((path) => writeFile(join(path, 'index.js'), 'planted')));
// Archives that the CDK CLI creates from the assets, and reuses.
await mkdir(join(again, '.cache'));
await writeFile(join(again, '.cache', 'planted.zip'), '');
expect((await synthesize(again, everySetting, '077')).code).toBe(0);

test.for([
  ['000', output],
  ['077', again],
] as const)('others may read assets and not write, with the umask %s', async ([, assembly]) => {
  const { folders, files } = await assetsIn(assembly);
  expect([folders.length, await modesOf(folders), await modesOf(files)]).toEqual([8, ['755'], ['644']]);
});

test('no other user may put anything into the output folder', async () => {
  expect(await modesOf([output])).toEqual(['755']);
});

test('earlier content of an asset is not deployed', async () => {
  const names = async (of: string) => (await readdir(of, { recursive: true })).sort();
  expect(await names(again)).toEqual(await names(output));
  const contents = (of: string) =>
    Promise.all(planted.files.map((file) => readFile(file.replace(again, of), 'utf8')));
  expect(await contents(again)).toEqual(await contents(output));
});

describe.for(bundles)('the bundle of $id', async (bundle) => {
  const code = await readFile(join(bundle.folder, 'index.mjs'), 'utf8');

  test('is one ES module', async () => {
    expect(await readdir(bundle.folder)).toEqual(['index.mjs']);
  });

  test('lacks the credential chain of the SDK', () => {
    expect(code).not.toMatch(/AWS_CONTAINER_CREDENTIALS|AWS_WEB_IDENTITY_TOKEN_FILE|sso_start_url/);
  });

  test('imports nothing, and uses no member of a global that was taken out', () => {
    expect(code.includes('require("node:https")')).toBe(true);
    const found = code.match(/^import\b.*|[;}]import\b.{50}|\bimport\(.{50}|\(void 0\)[.[].{50}/gm);
    expect(found ?? []).toEqual([]);
  });
});

interface FunctionResource {
  readonly Type: string;
  readonly Properties: { readonly Handler?: string; readonly Code?: { readonly S3Key?: string } };
}

async function bundlesIn(output: string, stackName: string) {
  const template: { readonly Resources: Readonly<Record<string, FunctionResource>> } = JSON.parse(
    await readFile(join(output, `${stackName}.template.json`), 'utf8'),
  );
  return Object.entries(template.Resources).flatMap(([id, { Type, Properties }]) => {
    const asset = Properties?.Code?.S3Key?.replace(/\.zip$/, '');
    const isOurs = Type === 'AWS::Lambda::Function' && !id.startsWith('Custom');
    return isOurs && asset !== undefined ? [{ id, folder: join(output, `asset.${asset}`) }] : [];
  });
}
