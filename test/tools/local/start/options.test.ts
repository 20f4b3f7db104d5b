import { expect, it } from 'vitest';
import { createProgram, type LocalRunOptions } from '../../../../tools/local/start/options.ts';

it.each(['-c', '--context'])('takes settings with %s', async (flag) => {
  const started: LocalRunOptions[] = [];
  const program = createProgram(async (options) => void started.push(options));
  await program.parseAsync([flag, 'stage=dev', flag, 'tokenLifetimeSeconds=60'], { from: 'user' });
  expect(started).toMatchObject([{ context: { stage: 'dev', tokenLifetimeSeconds: '60' } }]);
});
