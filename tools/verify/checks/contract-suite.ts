import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { judge } from '../world/outcome.ts';
import type { Check, CheckOutcome } from './check.ts';

/** Runs a program to its end. */
export type RunProgram = (
  parameters: readonly string[],
) => Promise<{ readonly code: number; readonly output: string }>;

/** Runs the contract suite against the deployment, with clients of its own, which it revokes. */
export function contractSuite(target: readonly string[], run = runProgram): Check {
  return {
    name: 'contract',
    does: 'run the contract suite',
    look: async () => readOutcome(await run(['test/contract/run.ts', ...target])),
  };
}

function readOutcome({ code, output }: { readonly code: number; readonly output: string }): CheckOutcome {
  const plain = output.replace(new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g'), '');
  const counts = /^\s*Tests\s+(.+)$/m.exec(plain)?.[1];
  const failed = [...plain.matchAll(/^\s*FAIL\s+(.+)$/gm)].map(([, title = '']) => title.trim());
  const names = [...new Set(failed)].slice(0, 20);
  return {
    ...judge(
      code === 0 && counts !== undefined && !/\bfailed\b/.test(counts),
      counts === undefined ? `It ended with ${code} before its first test.` : `Tests: ${counts}.`,
    ),
    ...(names.length === 0 ? {} : { details: names.map((name) => `- ${name}`) }),
  };
}

/** Runs the contract suite in this terminal, and resolves with its exit code. */
export function showContractSuite(target: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const parameters = ['--import', 'tsx', 'test/contract/run.ts', ...target];
    const child = spawn(process.execPath, parameters, { cwd: root, stdio: 'inherit' });
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** In a process group of its own: Ctrl-C must not keep the suite from revoking its clients at its end. */
const runProgram: RunProgram = (parameters) =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', 'tsx', ...parameters], {
      cwd: root,
      env: { ...process.env, NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString('utf8');
      });
    }
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
