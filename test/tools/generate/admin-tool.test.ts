import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from 'cloud-assembly-emulator/test/temporary-folder';
import { adminTool, buildTool } from '../../../tools/generate/build-tool.ts';
import { startAws } from '../../support/aws.ts';
import { adminOf } from '../../support/run-admin.ts';
import { runProcess } from '../../support/run-process.ts';
import { seedClient } from '../console/support/seed.ts';

/** Tests the admin command as built for an operator without a clone: one file in its own folder. */

const aws = await startAws();
const folder = await temporaryFolder();
await buildTool(adminTool, folder);
const { stackName, outputs, awsConfig } = aws.deployment;
const { endpoint: awsEndpoint, region, credentials } = awsConfig;
const state = { pid: process.pid, awsEndpoint, region, stackName, credentials, outputs };
await writeFile(join(folder, 'run.json'), JSON.stringify(state));

/** Runs the built command. Spaces separate the parameters of the line. */
const run = (line: string, env: Readonly<Record<string, string>> = {}) =>
  runProcess(process.execPath, ['file-sync-admin.mjs', ...line.split(' ')], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
  });

test('works without this repository, and names itself', async () => {
  const made = await seedClient(aws.deployment);
  const listed = await run('--local --state . client list --json');
  expect(JSON.parse(listed.stdout).data).toMatchObject([{ client_id: made.client_id }]);
  const unknown = await run('--local --state . client show nobody');
  expect(unknown.stderr).toContain('node file-sync-admin.mjs --local --state . search nobody\n');
});

test('has the guide of a client as in the repository', async () => {
  const { client_id } = await seedClient(aws.deployment);
  const line = `client guide ${client_id} --json`;
  const built = await run(`--local --state . ${line}`);
  const { html } = (await adminOf(aws.deployment)(line)).json();
  expect(JSON.parse(built.stdout)).toEqual({ html });
});

/** Lists the SDK modules that a command ran. esbuild names the function around a module by its path. */
async function sdkModulesOf(line: string): Promise<readonly string[]> {
  const coverage = await mkdtemp(join(folder, 'coverage-'));
  await run(line, { NODE_V8_COVERAGE: coverage });
  const [file = ''] = await readdir(coverage);
  const { result }: Coverage = JSON.parse(await readFile(join(coverage, file), 'utf8'));
  return result
    .flatMap(({ functions }) => functions)
    .filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0)
    .map(({ functionName }) => functionName)
    .filter((name) => name.startsWith('node_modules/@aws-sdk/client-'));
}

interface Coverage {
  readonly result: readonly {
    readonly functions: readonly {
      readonly functionName: string;
      readonly ranges: readonly { readonly count: number }[];
    }[];
  }[];
}

test('loads the SDK only when a command needs it', async () => {
  expect(await sdkModulesOf('--help')).toEqual([]);
  const ofList = await sdkModulesOf('--local --state . client list');
  expect(ofList).toContainEqual(expect.stringContaining('/client-dynamodb/'));
});
