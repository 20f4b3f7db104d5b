/**
 * Runs one list in a process of its own, so that its memory can be measured. The environment has the deployment
 * (`DEPLOYMENT`, as JSON), and the columns of the terminal, if there is one (`COLUMNS`). The last line on standard error
 * is the peak memory in KiB.
 */
import '../../support/quiet-sdk.ts';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { runAdmin } from '../../../cli/admin/program.ts';
import type { Deployment } from '../../../cli/deployment/deployment.ts';

const deployment = JSON.parse(process.env.DEPLOYMENT ?? '') as Deployment;
const { COLUMNS } = process.env;
const open = async () => deployment;

process.exitCode = await runAdmin(['--local', ...process.argv.slice(2)], {
  stdin: process.stdin,
  stdout:
    COLUMNS === undefined
      ? process.stdout
      : { isTTY: true, columns: Number(COLUMNS), write: (text) => process.stdout.write(text) },
  stderr: process.stderr,
  env: { NO_COLOR: '1' },
  words: 'admin',
  version: '0.0.0',
  sleep,
  openLocal: open,
  openStack: open,
  runConsole: async () => undefined,
});
process.stderr.write(`${await peakKiB()}\n`);

/** Linux hands the `maxRSS` of the parent down to its child, so that it is of no use there. */
async function peakKiB(): Promise<number> {
  const status = await readFile('/proc/self/status', 'utf8').catch(() => '');
  const [, peak] = /^VmHWM:\s+(\d+) kB$/m.exec(status) ?? [];
  return Number(peak ?? process.resourceUsage().maxRSS);
}
