import { PassThrough } from 'node:stream';
import { runAdmin } from '../../cli/admin/program.ts';
import type { Deployment } from '../../cli/deployment/deployment.ts';
import { TextCollector } from './text-stream.ts';

export interface AdminRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Names of the deployments that were opened. */
  readonly opened: readonly string[];
  /** Standard output as the one JSON object that it must be. */
  readonly json: () => Record<string, unknown>;
}

/** Runs the admin command in this process, as one on no terminal. */
export async function admin(
  deployment: Deployment | undefined,
  parameters: readonly string[],
  env: Record<string, string> = {},
): Promise<AdminRun> {
  const stdout = new TextCollector();
  const stderr = Object.assign(new PassThrough(), { isTTY: false, columns: 100 });
  const opened: string[] = [];
  const open = (kind: string) => async (name: string) => {
    opened.push(`${kind} ${name}`);
    if (deployment === undefined) {
      throw new Error('no deployment');
    }
    return deployment;
  };
  const code = await runAdmin(parameters, {
    stdin: new PassThrough(),
    stdout,
    stderr,
    env,
    words: (tool) => tool,
    version: '1.2.3',
    openLocal: open('local'),
    openStack: open('stack'),
  });
  const errors = stderr.read() as Buffer | null;
  return {
    code,
    stdout: stdout.text,
    stderr: errors?.toString('utf8') ?? '',
    opened,
    json: () => JSON.parse(stdout.text) as Record<string, unknown>,
  };
}
