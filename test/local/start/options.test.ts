import { describe, expect, it } from 'vitest';
import { parseAnomalies, parseEventChaos } from '../../../local/start/options.ts';

describe('disturbance of deliveries', () => {
  it('is read from its variable', () => {
    expect(parseEventChaos(undefined)).toBeUndefined();
    expect(parseEventChaos('')).toBeUndefined();
    expect(parseEventChaos('delay=500,double=0.3')).toEqual({ maximumDelayMilliseconds: 500, doubled: 0.3 });
    expect(() => parseEventChaos('much')).toThrow(/FILE_SYNC_LOCAL_EVENT_CHAOS/);
  });
});

describe('anomalies', () => {
  it('are read from their variable by name', () => {
    expect(parseAnomalies(undefined)).toEqual({});
    expect(parseAnomalies('')).toEqual({});
    expect(parseAnomalies('eventually-consistent')).toEqual({ eventuallyConsistent: true });
    expect(parseAnomalies('eventually-consistent,ignores-if-none-match')).toEqual({
      eventuallyConsistent: true,
      ignoresIfNoneMatch: true,
    });
    expect(() => parseAnomalies('eventually-consistent,toString')).toThrow(
      /FILE_SYNC_LOCAL_ANOMALIES .* not toString/,
    );
  });
});
