import { fileURLToPath } from 'node:url';
import { ratioOf } from '../../../tools/bench/report.ts';
import { runProcess } from '../../support/run-process.ts';

const main = fileURLToPath(new URL('../../../tools/bench/main.ts', import.meta.url));

test('a ratio is the median of those within a round', () => {
  const samples = new Map([
    ['ours', [1, 6, 3]],
    ['peer', [2, 2, 2]],
  ]);
  expect(ratioOf(samples, { ours: 'ours', peer: 'peer' })).toBe(1.5);
});

test('a run of one round measures every ratio', async () => {
  const parameters = ['--import', 'tsx', main, '--rounds', '1'];
  // A busy machine may miss a target. The test does not fail in that case.
  const { stdout } = await runProcess(process.execPath, parameters);
  const ratios = [...stdout.matchAll(/^ {2}(\S+ \/ \S+) +[\d.]+/gm)].map(([, name]) => name);
  const token = 'token / token-sdk';
  expect(ratios.toSorted()).toEqual(['sync / sync-sdk', token, token]);
}, 300_000);
