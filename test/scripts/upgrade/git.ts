import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** Runs git in a folder, as a person without settings of their own. */
export async function git(cwd: string, ...parameters: readonly string[]): Promise<string> {
  const person = [
    '-c',
    'user.name=Test',
    '-c',
    'user.email=test@test.invalid',
    '-c',
    'init.defaultBranch=main',
  ];
  const env = { PATH: process.env.PATH, HOME: cwd, GIT_CONFIG_NOSYSTEM: '1' };
  const { stdout } = await execute('git', [...person, ...parameters], { cwd, env });
  return stdout.trim();
}
