import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { atEnd } from 'cloud-assembly-emulator/test/at-end';
import { describe, expect, test } from 'vitest';
import { startLocalRun } from '../../support/local-run.ts';

const projectRoot = fileURLToPath(new URL('../../../', import.meta.url));

const context = { stage: 'dev' };
// What people may have set for AWS itself.
const environment = { AWS_USE_FIPS_ENDPOINT: 'true', AWS_USE_DUALSTACK_ENDPOINT: 'true' };
const run = await startLocalRun({ noDemo: false, context, environment, fromSource: true });
atEnd(run.stop);

describe('a run with its demonstration', () => {
  test('says in plain lines that it serves', () => {
    expect(run.stdout()).toContain(`\nready ${run.baseUrl}\n`);
    expect(run.stdout()).not.toContain('\u001b');
    expect(run.stderr()).toBe('');
  });

  test('prints admin lines for this run that work when copied into a shell', async () => {
    const lines = run.stdout().match(/^npm run -s admin -- .*$/gm) ?? [];
    expect(lines.map((line) => line.replace(/^.* (client|file|upload) (\w+) .*$/, '$1 $2'))).toEqual([
      'client show',
      'file show',
      'upload list',
      'file download',
    ]);
    const { stdout } = await promisify(execFile)('sh', ['-eu', '-c', lines.join('\n')], { cwd: projectRoot });
    expect(stdout).toMatch(/^Name +Demonstration$/m);
    expect(stdout).toMatch(/^Name +sample\.bin$/m);
    const written = /^Written to +(.*file-sync-sample\.bin)$/m.exec(stdout)?.[1] ?? '';
    expect(stdout).toMatch(new RegExp(`^Size .*\\(${statSync(written).size} bytes\\)$`, 'm'));
    await rm(written);
  }, 60_000);
});
