import { appendFile, writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import { explainAwsError } from '../operator/deployment/aws-errors.ts';
import type { AwsConfig, Deployment } from '../operator/deployment/deployment.ts';
import { CommandError, exitCodes, reasonOf, UsageError } from '../operator/errors.ts';
import { quoted } from '../operator/text.ts';
import { confirm, type Terminal } from '../terminal/confirm.ts';
import type { TextStream } from '../terminal/output.ts';
import { runProgram } from '../terminal/run-program.ts';
import type { Check } from './checks/check.ts';
import { contractSuite, showContractSuite } from './checks/contract-suite.ts';
import { latency } from './checks/latency.ts';
import { cancel, events, revocation, rotation, schedule } from './checks/life-of-uploads.ts';
import { uploadUrlRows } from './checks/upload-url.ts';
import { type Flags, type Target, targetOf, type Wanted, wantedOf } from './options.ts';
import { isGood, type Report, renderReport, summary } from './report.ts';
import { verify } from './run.ts';
import { checkUpgrade } from './upgrade/upgrade.ts';
import { createWatcher } from './watch.ts';
import type { World } from './world/world.ts';

/** What the command needs of its process. */
export interface VerifyContext {
  readonly stdin: Terminal['stdin'];
  readonly stdout: TextStream;
  readonly stderr: TextStream & Terminal['stderr'];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly openLocal: (stateDirectory: string) => Promise<Deployment>;
  readonly openStack: (name: string) => Promise<Deployment>;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  /** For tests of `--upgrade`. */
  readonly awsConfig?: AwsConfig;
  /** For the wait before uploads are deleted. */
  readonly sleep: (milliseconds: number) => Promise<unknown>;
  /** For tests: the deployment with something false. */
  readonly disturb?: (world: World) => World;
}

const helpText = `
Parts, for --only and --skip (with commas, and with ids of docs/aws-facts.md):
  latency, contract, upload-url, cancel, events, schedule, rotation, facts,
  revocation

With --base-url, these variables name the clients of the contract suite. Tests without
a client or a file that they need are skipped:
  FILE_SYNC_CLIENT_ID, FILE_SYNC_CLIENT_SECRET
  FILE_SYNC_READER_CLIENT_ID, FILE_SYNC_READER_CLIENT_SECRET    holds volume:read alone
  FILE_SYNC_REVOKED_CLIENT_ID, FILE_SYNC_REVOKED_CLIENT_SECRET  is revoked

Exit codes:
  0    everything that must hold holds, or the update loses nothing
  1    something that must hold does not, or could not be checked, or the update
       would lose something
  2    invalid arguments: nothing was attempted
  130  stopped by Ctrl-C: what was made has been deleted

Examples:
  npx cdk synth -q -c stage=prod && npm run verify -- --upgrade --stack file-sync-prod
  npm run verify -- --stack file-sync-dev --report verified.md
  npm run verify -- --stack file-sync-prod --skip rotation,revocation
  npm run verify -- --local --state .local
  npm run verify -- --base-url https://api.example.com --file orders`;

/** Runs `npm run verify`, and resolves with its exit code. */
export async function runVerify(parameters: readonly string[], context: VerifyContext): Promise<number> {
  let code = 0;
  const command = new Command('npm run verify --')
    .description('Check on a deployment everything that the project takes for granted about AWS.')
    .option('--stack <name>', 'verify this deployed stack, with your AWS credentials')
    .option('--local', 'verify the local run that is running (npm start)')
    .option('--state <dir>', 'use this state folder of the local run', '.local')
    .option('--upgrade', 'say what an update of the stack to what was synthesized would lose')
    .option('--app <dir>', 'what was synthesized, with --upgrade', 'cdk.out')
    .option('--base-url <url>', 'run the contract suite alone, against this address')
    .option('--file <id>', "with --base-url: a file of the client's organisation, with syncing enabled")
    .option('--file-not-enabled <id>', 'with --base-url: one with syncing not enabled')
    .option('--file-of-another <id>', 'with --base-url: a file of another organisation')
    .option('--report <file>', 'write the report to this file, as Markdown')
    .option('--only <names>', 'do only these parts, or check only these facts')
    .option('--skip <names>', 'leave these parts or facts out')
    .option('--wait', 'wait up to six minutes until tokens of the revoked key are refused')
    .option('--yes', 'do not ask before the signing key of a stack is rotated and revoked')
    .allowExcessArguments(false)
    .addHelpText('after', helpText)
    .action(async (flags: Flags) => {
      if (flags.baseUrl !== undefined) {
        code = await showContractSuite(contractTarget(flags));
      } else {
        code = flags.upgrade ? await runUpgrade(flags, context) : await run(flags, context);
      }
    });
  const failed = await runProgram(command, { ...context, parameters, explain: explainAwsError });
  return failed === 0 ? code : failed;
}

/** @throws {UsageError} when another deployment is named too */
function contractTarget({
  baseUrl,
  file,
  fileNotEnabled,
  fileOfAnother,
  stack,
  local,
}: Flags): readonly string[] {
  if (stack !== undefined || local) {
    throw new UsageError('Choose one deployment: give --base-url, --stack or --local.');
  }
  const values = {
    '--base-url': baseUrl,
    '--file': file,
    '--file-not-enabled': fileNotEnabled,
    '--file-of-another': fileOfAnother,
  };
  return Object.entries(values).flatMap(([flag, value]) => (value === undefined ? [] : [flag, value]));
}

/** Compares templates only. Nothing is made in the deployment. */
async function runUpgrade({ stack, local, app }: Flags, context: VerifyContext): Promise<number> {
  if (stack === undefined || local) {
    throw new UsageError('Name the stack that is deployed: give --upgrade with --stack NAME.');
  }
  const { stdout, awsConfig = {} } = context;
  return (await checkUpgrade({ name: stack, assembly: app, awsConfig, stdout })) ? 0 : exitCodes.failed;
}

async function run(flags: Flags, context: VerifyContext): Promise<number> {
  const target = targetOf(flags);
  const wanted = wantedOf(flags);
  await requireWritable(flags);
  const deployment =
    target.kind === 'local'
      ? await context.openLocal(target.stateDirectory)
      : await context.openStack(target.name);
  context.stderr.write(notice(target, wanted, flags));
  if (target.kind === 'stack' && changesKeys(wanted)) {
    await confirm('This changes the signing keys of the stack.', flags.yes === true, context);
  }
  const { signal, sleep, disturb } = context;
  const report = await verify({
    deployment,
    label: target.kind === 'local' ? 'a local run' : `stack ${target.name}`,
    ...(target.kind === 'stack' && { stackName: target.name }),
    checks: checksOf(target, deployment, flags),
    isWanted: wanted.part,
    isWantedFact: wanted.fact,
    signal,
    sleep,
    watcher: createWatcher(context.stdout, context.stderr),
    ...(disturb && { disturb }),
  });
  await write(report, flags.report);
  context.stdout.write(`\n${summary(report)}\n`);
  return report.complete ? (isGood(report) ? 0 : exitCodes.failed) : exitCodes.interrupted;
}

function checksOf(target: Target, deployment: Deployment, { wait }: Flags): readonly Check[] {
  const suiteTarget =
    target.kind === 'local' ? ['--local', '--state', target.stateDirectory] : ['--stack', target.name];
  const suite = contractSuite(suiteTarget);
  return [
    // The first requests to a stack can be cold starts. In a local run the suite comes first: it publishes a key of its own
    // there, and a function that has just read the key set would not read it again for a while.
    ...(target.kind === 'stack' ? [latency, suite] : [suite, latency]),
    uploadUrlRows(deployment),
    cancel,
    events,
    schedule,
    rotation,
    revocation(wait === true),
  ];
}

function changesKeys({ part }: Wanted): boolean {
  return part('rotation') || part('revocation');
}

/** Says before the start what a run does to the deployment. */
function notice(target: Target, { part }: Wanted, { wait }: Flags): string {
  const lines = [
    `This verifies ${target.kind === 'local' ? 'the local run' : `the stack ${quoted(target.name)}`}.`,
    '- It makes a client and a file in an organisation of its own, uploads small contents, and deletes all of it at the end.',
    '  Contents and records go after the retention time of the deployment.',
    ...(part('contract')
      ? [
          '- The contract suite makes more clients and files, revokes those clients and disables syncing of those files.',
        ]
      : []),
    ...(part('rotation')
      ? [
          '- It has the rotation schedule checked, and set if it is lost, and rotates the signing key. Issued tokens stay valid.',
        ]
      : []),
    ...(part('revocation')
      ? [
          '- It revokes the signing key of its token: every access token that this key signed becomes invalid within five',
          '  minutes, and requests may get 401 until then. Leave this out with --skip revocation where clients are at work.',
        ]
      : []),
    ...(part('revocation') && wait ? ['- It waits until those tokens are refused, up to six minutes.'] : []),
  ];
  return `${lines.join('\n')}\n\n`;
}

/** A path that cannot be written to must be found before the run, not after it. */
async function requireWritable({ report }: Flags): Promise<void> {
  if (report !== undefined) {
    await appendFile(report, '').catch((error: unknown) => {
      throw new UsageError(`The file of --report cannot be written: ${reasonOf(error)}.`);
    });
  }
}

async function write(report: Report, path: string | undefined): Promise<void> {
  if (path !== undefined) {
    await writeFile(path, renderReport(report)).catch((error: unknown) => {
      throw new CommandError(`The report could not be written: ${reasonOf(error)}.`);
    });
  }
}
