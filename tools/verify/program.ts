import { resolve } from 'node:path';
import { Command } from 'commander';
import { routes } from '../../contract/routes.ts';
import { explainAwsError } from '../operator/deployment/aws-errors.ts';
import type { AwsConfig, Deployment } from '../operator/deployment/deployment.ts';
import { quoted } from '../operator/text.ts';
import { exitCodes, UsageError } from '../terminal/errors.ts';
import { typedLine } from '../terminal/help.ts';
import { withNextCommands } from '../terminal/next-steps.ts';
import type { TextStream } from '../terminal/output.ts';
import { confirm, type Terminal } from '../terminal/question.ts';
import { runProgram } from '../terminal/run-program.ts';
import { busPolicy, delivery } from './bus.ts';
import { contractSuite, type GivenFiles, givenTarget, runSuite, type SuiteTarget } from './contract-suite.ts';
import { privateKeys, revocation, rotation } from './keys.ts';
import { doctor, metrics, reconciliation, throttle } from './operations.ts';
import type { Check } from './outcome.ts';
import { type Result, verify } from './run.ts';
import type { Service } from './service.ts';
import { checkUpgrade } from './upgrade/upgrade.ts';
import { cancelling, events } from './uploads.ts';

/** Flags as they were typed. */
interface Flags extends GivenFiles {
  readonly stack?: string;
  readonly local?: true;
  readonly state: string;
  readonly upgrade?: true;
  readonly app: string;
  readonly baseUrl?: string;
  readonly only?: string;
  readonly skip?: string;
  readonly yes?: true;
}

/** Dependencies of the verify program. */
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
  /** Sleep function for the wait before uploads are deleted. */
  readonly sleep: (milliseconds: number) => Promise<unknown>;
  /** For tests: returns a deployment with a defect. */
  readonly disturb?: (service: Service) => Service;
}

const helpText = `
Checks, for --only and --skip (separated by commas):
  contract, cancel, events, delivery, metrics, reconciliation, doctor, throttle, bus-policy,
  private-keys, rotation, revocation

With --base-url, these variables name the clients of the contract suite. Tests without
a client or a file that they need are skipped:
  FILE_SYNC_CLIENT_ID, FILE_SYNC_CLIENT_SECRET
  FILE_SYNC_READER_CLIENT_ID, FILE_SYNC_READER_CLIENT_SECRET    has only ${routes.volumes.scope}
  FILE_SYNC_REVOKED_CLIENT_ID, FILE_SYNC_REVOKED_CLIENT_SECRET  is revoked

Exit codes:
  0    all checks passed, or the update loses nothing
  1    a check failed or could not run, or the update would lose something
  2    invalid arguments: nothing was attempted
  130  stopped by Ctrl-C: created entities are deleted or revoked

Examples:
  npx cdk synth -q -c stage=prod && npm run verify -- --upgrade --stack file-sync-prod
  npm run verify -- --stack file-sync-prod --skip rotation,revocation
  npm run verify -- --local --state .local
  npm run verify -- --base-url https://api.example.com --file orders`;

/** Runs `npm run verify`, and resolves with its exit code. */
export async function runVerify(parameters: readonly string[], context: VerifyContext): Promise<number> {
  let code = 0;
  const command = new Command('npm run verify --')
    .description('Check the documented guarantees of the service and AWS, on a deployment or the local run.')
    .option('--stack <name>', 'verify this deployed stack, with your AWS credentials')
    .option('--local', 'verify the local run that is running (npm start)')
    .option('--state <dir>', 'use this state folder of the local run', '.local')
    .option('--upgrade', 'list the losses of an update of the stack to the synthesized version')
    .option('--app <dir>', 'with --upgrade: compare with this synthesized app', 'cdk.out')
    .option('--base-url <url>', 'run only the contract suite, against this address')
    .option('--file <id>', "with --base-url: a file of the client's organisation, with syncing enabled")
    .option('--file-not-enabled <id>', 'with --base-url: a file with syncing not enabled')
    .option('--file-of-another <id>', 'with --base-url: a file of another organisation')
    .option('--only <names>', 'run only these checks')
    .option('--skip <names>', 'skip these checks')
    .option('--yes', 'skip the confirmation for the signing keys of a stack')
    .allowExcessArguments(false)
    .addHelpText('after', helpText)
    .action(async (flags: Flags) => {
      if (flags.baseUrl !== undefined) {
        code = await runGiven(flags.baseUrl, flags, context);
      } else {
        code = await (flags.upgrade ? runUpgrade(flags, context) : run(flags, context));
      }
    });
  const failed = await runProgram(command, { ...context, parameters, explain });
  return failed === 0 ? code : failed;
}

function explain(error: unknown): unknown {
  return withNextCommands(explainAwsError(error), (...words) => typedLine('npx file-sync-admin', words));
}

/** Runs only the contract suite, in this terminal. */
async function runGiven(baseUrl: string, flags: Flags, { env }: VerifyContext): Promise<number> {
  if (flags.stack !== undefined || flags.local) {
    throw new UsageError('Choose one deployment: --base-url, --stack or --local.');
  }
  return (await runSuite(givenTarget(baseUrl, flags, env), 'inherit')).code;
}

/** Compares templates only. The deployment is not changed. */
async function runUpgrade({ stack, local, app }: Flags, context: VerifyContext): Promise<number> {
  if (stack === undefined || local) {
    throw new UsageError('Name the deployed stack: --upgrade requires --stack NAME.');
  }
  const { stdout, awsConfig = {} } = context;
  return (await checkUpgrade({ name: stack, assembly: app, awsConfig, stdout })) ? 0 : exitCodes.failed;
}

/** Returns all checks, in the order in which they run. */
export function checksOf(target: SuiteTarget): readonly Check[] {
  // The revocation is last: after it, functions use copies of the key for minutes, which would disturb later
  // checks.
  return [
    contractSuite(target),
    cancelling,
    events,
    delivery,
    metrics,
    reconciliation,
    // The flood of `throttle` may raise an alarm, so `doctor` comes first.
    doctor,
    throttle,
    busPolicy,
    privateKeys,
    rotation,
    revocation,
  ];
}

async function run(flags: Flags, context: VerifyContext): Promise<number> {
  const target = targetOf(flags);
  const checks = checksOf(target);
  const isWanted = wantedOf(checks, flags);
  const deployment =
    target.kind === 'local'
      ? await context.openLocal(target.stateDirectory)
      : await context.openStack(target.name);
  const { stdout, stderr, signal, sleep, disturb } = context;
  const ids = checks.filter(isWanted).map(({ id }) => id);
  stderr.write(notice(target, ids));
  if (target.kind === 'stack' && (ids.includes('rotation') || ids.includes('revocation'))) {
    await confirm('This changes the signing keys of the stack.', flags.yes === true, context);
  }
  const results = await verify({
    deployment,
    isLocal: target.kind === 'local',
    checks,
    isWanted,
    signal,
    show: (line) => stdout.write(`${line}\n`),
    say: (line) => stderr.write(`${line}\n`),
    sleep,
    disturb,
  });
  if (signal.aborted) {
    stdout.write('\nThe run was stopped.\n');
    return exitCodes.interrupted;
  }
  const bad = results.filter(isBad).map(({ id }) => id);
  stdout.write(bad.length === 0 ? '\nAll checks passed.\n' : `\nFailed or not checked: ${bad.join(', ')}.\n`);
  return bad.length === 0 ? 0 : exitCodes.failed;
}

/**
 * Returns true for a failed or impossible check. An impossible check counts as failed, because its result is
 * unknown. A skipped check does not count.
 */
function isBad({ verdict }: Result): boolean {
  return verdict === 'failed' || verdict === 'not checked';
}

type Target = Exclude<SuiteTarget, { readonly kind: 'given' }>;

/** @throws {UsageError} unless exactly one deployment is named */
function targetOf({ stack, local, state }: Flags): Target {
  if (stack !== undefined && local) {
    throw new UsageError('Choose one deployment: --stack or --local.');
  }
  if (stack !== undefined) {
    return { kind: 'stack', name: stack };
  }
  if (!local) {
    throw new UsageError(
      'Name the deployment: add --stack NAME, --local with --state DIR, or --base-url URL.',
    );
  }
  return { kind: 'local', stateDirectory: resolve(state) };
}

/** @throws {UsageError} for an unknown check */
function wantedOf(checks: readonly Check[], { only, skip }: Flags): (check: Check) => boolean {
  const all = checks.map(({ id }) => id);
  const names = (flag: string, text: string) => {
    const given = text.split(',').map((name) => name.trim());
    const unknown = given.find((name) => !all.includes(name));
    if (unknown !== undefined) {
      throw new UsageError(
        `${flag} contains ${quoted(unknown)}, which is not a check. The checks are: ${all.join(', ')}.`,
      );
    }
    return given;
  };
  const wanted = only === undefined ? all : names('--only', only);
  const unwanted = skip === undefined ? [] : names('--skip', skip);
  return ({ id }) => wanted.includes(id) && !unwanted.includes(id);
}

/** Returns a notice that describes the effects of a run on the deployment, before it starts. */
function notice(target: Target, ids: readonly string[]): string {
  const lines = {
    contract:
      '- The contract suite creates more clients and files, revokes those clients and disables syncing of those files.',
    rotation: '- It rotates the signing key. Issued tokens stay valid.',
    revocation:
      '- It revokes the signing key of its token: every access token that this key signed becomes invalid within five\n' +
      '  minutes, and requests may get 401 until then. To protect active clients, add --skip revocation.',
  };
  const wanted = Object.entries(lines).flatMap(([id, line]) => (ids.includes(id) ? [line] : []));
  return [
    `This verifies ${target.kind === 'local' ? 'the local run' : `the stack ${quoted(target.name)}`}.`,
    '- It creates a client and a file in an organisation of its own, uploads small contents, and deletes them at the end.',
    '  AWS removes contents and records after the retention time of the deployment.',
    ...wanted,
    '\n',
  ].join('\n');
}
