import { statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { atEnd } from 'cloud-assembly-emulator/test/at-end';
import { startLocalRun } from '../../support/local-run.ts';
import { runProcess } from '../../support/run-process.ts';

const projectRoot = fileURLToPath(new URL('../../../', import.meta.url));

const context = { stage: 'dev' };
// Settings that a developer may use for AWS itself.
const environment = { AWS_USE_FIPS_ENDPOINT: 'true', AWS_USE_DUALSTACK_ENDPOINT: 'true' };
const run = await startLocalRun({ noDemo: false, context, environment });
atEnd(run.stop);

test('a demonstration prints admin lines that work when copied into a shell', async () => {
  const lines = run.stdout().match(/^npx file-sync-admin .*$/gm) ?? [];
  expect(lines.map((line) => line.replace(/^.* (client|file|upload) (\w+) .*$/, '$1 $2'))).toEqual([
    'client show',
    'file show',
    'upload list',
    'file download',
  ]);
  const { stdout } = await runProcess('sh', ['-eu', '-c', lines.join('\n')], { cwd: projectRoot });
  expect(stdout).toMatch(/^Name +Demonstration$/m);
  expect(stdout).toMatch(/^Name +sample\.bin$/m);
  const written = /^Written to +(.*file-sync-sample\.bin)$/m.exec(stdout)?.[1] ?? '';
  expect(stdout).toMatch(
    new RegExp(`^Size .*\\(${statSync(written).size.toLocaleString('en')} bytes\\)$`, 'm'),
  );
  await rm(written);
}, 60_000);
