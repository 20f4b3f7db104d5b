import { describe, expect, it } from 'vitest';
import { createProgram, type LocalRunOptions, parseEventChaos } from '../../../local/start/options.ts';

describe('disturbance of deliveries', () => {
  it('is read from its variable', () => {
    expect(parseEventChaos(undefined)).toBeUndefined();
    expect(parseEventChaos('')).toBeUndefined();
    expect(parseEventChaos('delay=500,double=0.3')).toEqual({ maximumDelayMilliseconds: 500, doubled: 0.3 });
    expect(parseEventChaos('delay=0,double=0,drop=.01')).toMatchObject({ dropped: 0.01 });
    expect(() => parseEventChaos('much')).toThrow(/FILE_SYNC_LOCAL_EVENT_CHAOS/);
    expect(() => parseEventChaos('delay=0,double=2')).toThrow(/a SHARE is a number from 0 to 1/);
  });
});

describe('a setting', () => {
  it.each(['-c', '--context'])('is given with %s', async (flag) => {
    const started: LocalRunOptions[] = [];
    const program = createProgram(async (options) => void started.push(options));
    await program.parseAsync([flag, 'stage=dev', flag, 'tracing=xray'], { from: 'user' });
    expect(started).toMatchObject([{ context: { stage: 'dev', tracing: 'xray' } }]);
  });
});
