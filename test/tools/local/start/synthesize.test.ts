import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartProblem } from 'cloud-assembly-emulator';
import { temporaryFolder } from 'cloud-assembly-emulator/test/temporary-folder';
import { appVariable, isSynthesized, synthesize } from '../../../../tools/local/start/synthesize.ts';
import { UsageError } from '../../../../tools/terminal/errors.ts';

let folder: string;

beforeEach(async () => {
  folder = await temporaryFolder();
});

/** Runs the given code in place of the app. */
async function synthesizeBy(app: string) {
  const path = join(folder, 'app.mjs');
  await writeFile(path, app);
  vi.stubEnv(appVariable, path);
  const options = {
    outputDirectory: join(folder, 'out'),
    context: { stage: 'dev' },
    signal: new AbortController().signal,
  };
  await synthesize(options);
  return options;
}

const makesFolder = "import { mkdirSync } from 'node:fs'; mkdirSync(process.env.CDK_OUTDIR);";

test('the app gets the settings of cdk.json and of the command line', async () => {
  await synthesizeBy(
    `${makesFolder}import { writeFileSync } from 'node:fs'; process.chdir(process.env.CDK_OUTDIR); writeFileSync('context', process.env.CDK_CONTEXT_JSON);`,
  );
  const context: unknown = JSON.parse(await readFile(join(folder, 'out/context'), 'utf8'));
  expect(context).toEqual({ 'cli-telemetry': false, stage: 'dev' });
});

test('output of an earlier start is removed first', async () => {
  await mkdir(join(folder, 'out', 'earlier'), { recursive: true });
  await synthesizeBy(makesFolder);
  expect(await readdir(join(folder, 'out'))).not.toContain('earlier');
});

test('output of another app is synthesized by each start', async () => {
  expect(isSynthesized(await synthesizeBy(makesFolder))).toBe(false);
});

test.for([
  ['a wrong setting', 2, UsageError],
  ['a problem', 1, StartProblem],
] as const)('%s is printed in the words of the app, without its progress', async ([, code, kind]) => {
  const failing = synthesizeBy(
    `console.log('Bundling asset a ...'); console.error('It is wrong.'); process.exitCode = ${code};`,
  );
  await expect(failing).rejects.toThrow(new kind('It is wrong.'));
  await expect(failing).rejects.toBeInstanceOf(kind);
});

test('a silent error of an app is printed with its exit code', async () => {
  await expect(synthesizeBy('process.exit(3);')).rejects.toThrow('The synthesis ended with exit code 3.');
});
