import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { UsageError } from '../terminal/errors.ts';
import { type Check, judge } from './outcome.ts';

/**
 * Deployment that the contract suite tests (test/support/contract-target.ts). The suite provisions a local
 * run and a stack itself.
 */
export type SuiteTarget =
  | { readonly kind: 'local'; readonly stateDirectory: string }
  | { readonly kind: 'stack'; readonly name: string }
  | {
      readonly kind: 'given';
      readonly baseUrl: string;
      readonly fixtures: Readonly<Record<string, unknown>>;
    };

/** Runs the contract suite against the deployment. It creates its own clients, and revokes them. */
export function contractSuite(target: SuiteTarget, run = runSuite): Check {
  return {
    id: 'contract',
    label: 'run the contract suite',
    check: async () => {
      const { code, output } = await run(target, 'pipe');
      const counts = /^\s*Tests\s+(.+)$/m.exec(output)?.[1];
      const failed = [...output.matchAll(/^\s*FAIL\s+(.+)$/gm)].map(([, title = '']) => title.trim());
      const names = [...new Set(failed)].map((name) => `; ${name}`).join('');
      return judge(
        code === 0 && counts !== undefined,
        counts === undefined ? `It ended with ${code} before its first test.` : `Tests: ${counts}${names}.`,
      );
    },
  };
}

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Runs the suite in this terminal, or collects its output, without colours. */
export async function runSuite(
  target: SuiteTarget,
  output: 'inherit' | 'pipe',
  runner = 'node_modules/vitest/vitest.mjs',
) {
  const child = spawn(process.execPath, [runner, 'run', '--project', 'contract', '--reporter', 'verbose'], {
    cwd: root,
    env: {
      ...process.env,
      FILE_SYNC_CONTRACT_TARGET: JSON.stringify(target),
      ...(output === 'pipe' && { NO_COLOR: '1', FORCE_COLOR: '0' }),
    },
    stdio: ['ignore', output, output],
    // Runs in its own process group: Ctrl-C must not prevent the suite from revoking its clients at its end.
    detached: output === 'pipe',
  });
  const written: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => written.push(chunk));
  }
  const [code]: readonly (number | null)[] = await once(child, 'close');
  return { code: code ?? 1, output: Buffer.concat(written).toString('utf8') };
}

/** Files of a deployment without operator access. */
export interface GivenFiles {
  readonly file?: string;
  readonly fileNotEnabled?: string;
  readonly fileOfAnother?: string;
}

/**
 * Returns the deployment from the command line, with the clients from the environment.
 *
 * @throws {UsageError} if the environment names no client
 */
export function givenTarget(
  baseUrl: string,
  { file, fileNotEnabled, fileOfAnother }: GivenFiles,
  env: Readonly<Record<string, string | undefined>>,
): SuiteTarget {
  const credentials = (prefix: string) => {
    const [clientId, clientSecret] = [env[`${prefix}CLIENT_ID`], env[`${prefix}CLIENT_SECRET`]];
    return clientId && clientSecret ? { clientId, clientSecret } : undefined;
  };
  if (!/^https?:$/.test(URL.canParse(baseUrl) ? new URL(baseUrl).protocol : '')) {
    throw new UsageError('The value of --base-url is not an http or https URL.');
  }
  const client = credentials('FILE_SYNC_');
  if (client === undefined) {
    throw new UsageError(
      'Set FILE_SYNC_CLIENT_ID and FILE_SYNC_CLIENT_SECRET, or use --local or --stack, which create clients.',
    );
  }
  const [reader, revoked] = [credentials('FILE_SYNC_READER_'), credentials('FILE_SYNC_REVOKED_')];
  const fixtures = { client, reader, revoked, file, fileNotEnabled, fileOfAnother };
  return { kind: 'given', baseUrl: baseUrl.replace(/\/+$/, ''), fixtures };
}
