import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { commandOf } from '../../../support/programs.ts';

export const projectRoot = fileURLToPath(new URL('../../../../', import.meta.url));

/** How a line of a shell ended. Without a code a signal ended it. */
export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs one line in a shell, with its redirections. In it `$upload`, `$admin` and `$node` start the tools and a module as
 * processes of their own.
 *
 * @param variables of the environment, besides those that this process has
 */
export async function shell(
  line: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<Finished> {
  const [upload, admin] = await Promise.all(['tools/upload/main.ts', 'tools/admin/main.ts'].map(commandOf));
  const tools = {
    node: `${process.execPath} --import tsx`,
    upload: [process.execPath, ...(upload ?? [])].join(' '),
    admin: [process.execPath, ...(admin ?? [])].join(' '),
  };
  const child = spawn('sh', ['-c', line], {
    cwd: projectRoot,
    env: { ...process.env, ...tools, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const text = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text.stdout += part;
  });
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    text.stderr += part;
  });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...text })));
}
