import { expect, it } from 'vitest';
import { parseEventChaos } from '../../../../tools/local/start/disturbances.ts';
import { createProgram, type LocalRunOptions } from '../../../../tools/local/start/options.ts';

it('reads the disturbance of deliveries from its variable', () => {
  expect(parseEventChaos(undefined)).toBeUndefined();
  expect(parseEventChaos('')).toBeUndefined();
  expect(parseEventChaos('delay=500,double=0.3')).toMatchObject({
    maximumDelayMilliseconds: 500,
    doubled: 0.3,
  });
  expect(parseEventChaos('delay=0,double=0,drop=.01')).toMatchObject({ dropped: 0.01 });
  expect(() => parseEventChaos('much')).toThrow(/FILE_SYNC_LOCAL_EVENT_CHAOS/);
  expect(() => parseEventChaos('delay=0,double=2')).toThrow(/a SHARE is a number from 0 to 1/);
});

it.each(['-c', '--context'])('takes settings with %s', async (flag) => {
  const started: LocalRunOptions[] = [];
  const program = createProgram(async (options) => void started.push(options));
  await program.parseAsync([flag, 'stage=dev', flag, 'tokenLifetimeSeconds=60'], { from: 'user' });
  expect(started).toMatchObject([{ context: { stage: 'dev', tokenLifetimeSeconds: '60' } }]);
});
