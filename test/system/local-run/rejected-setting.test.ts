import { expect, test } from 'vitest';
import { eventChaosVariable } from '../../../tools/local/run.ts';
import { runProcess } from '../../support/run-process.ts';

test('a setting that the local run rejects fails the contract tests only', async () => {
  const files = ['test/storage/tombstone.test.ts', 'test/contract/volumes.test.ts'];
  const parameters = ['run', '--project', 'unit', '--project', 'contract', '--reporter=json', ...files];
  const { stdout } = await runProcess(process.execPath, ['node_modules/vitest/vitest.mjs', ...parameters], {
    env: { ...process.env, [eventChaosVariable]: 'no JSON' },
  });
  const { testResults } = JSON.parse(stdout.slice(stdout.indexOf('{"'))) as {
    readonly testResults: readonly { readonly status: string; readonly message: string }[];
  };
  const outcomes = testResults.map(({ status, message }) => `${status}: ${message.split('\n')[0]}`);
  expect(outcomes.toSorted()).toEqual([
    'failed: There is no deployment to test. Error: The local run ended with 1',
    'passed: ',
  ]);
});
