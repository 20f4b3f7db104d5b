import { describe, expect, it } from 'vitest';
import { parseEventChaos } from '../../../local/start/options.ts';

describe('disturbance of deliveries', () => {
  it('is read from its variable', () => {
    expect(parseEventChaos(undefined)).toBeUndefined();
    expect(parseEventChaos('')).toBeUndefined();
    expect(parseEventChaos('delay=500,double=0.3')).toEqual({ maximumDelayMilliseconds: 500, doubled: 0.3 });
    expect(() => parseEventChaos('much')).toThrow(/FILE_SYNC_LOCAL_EVENT_CHAOS/);
  });
});
