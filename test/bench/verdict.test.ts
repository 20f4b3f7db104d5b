import { describe, expect, it, test } from 'vitest';
import type { Measurement } from '../../bench/measurement.ts';
import { median, medianInterval } from '../../bench/statistics.ts';
import { judge, recordHeld } from '../../bench/verdict.ts';

/** A sequence of numbers from 0 to 1 that is the same in every run (a linear congruential generator). */
function fixedRandom(): () => number {
  let state = 1;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

const lower: Measurement = {
  id: 'ratio',
  what: 'one / other',
  unit: 'ratio',
  target: 1,
  better: 'lower',
  measure: () => Promise.reject(new Error('not called')),
};
const higher: Measurement = { ...lower, better: 'higher' };
const held = { ratio: { target: 1, figure: 0.9 } };

const verdict = (measurement: Measurement, samples: readonly number[], record = {}) =>
  judge(measurement, { samples, detail: {} }, record, fixedRandom());

describe('the noise of a run', () => {
  test('is where the median may lie', () => {
    const samples = [0.8, 0.9, 1, 1.1, 1.2, 1, 1, 0.95, 1.05];
    const { low, high } = medianInterval(samples, fixedRandom());
    expect(low).toBeGreaterThanOrEqual(0.8);
    expect(low).toBeLessThan(1);
    expect(high).toBeGreaterThan(1);
    expect(high).toBeLessThanOrEqual(1.2);
  });

  test('is nothing when all samples are equal', () => {
    expect(medianInterval([2, 2, 2], fixedRandom())).toEqual({ low: 2, high: 2 });
  });

  test('does not grow by one slow round', () => {
    const quiet = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1];
    expect(medianInterval([...quiet, 50], fixedRandom())).toEqual({ low: 1, high: 1 });
  });

  test.each([
    [[3, 1, 2], 2],
    [[4, 1, 3, 2], 2.5],
  ])('is about the median: of %j it is %d', (values, middle) => {
    expect(median(values)).toBe(middle);
  });
});

describe('a target', () => {
  it.each([
    [lower, [1, 1, 1], true],
    [lower, [1.01, 1.01, 1.01], false],
    [higher, [1, 1, 1], true],
    [higher, [0.99, 0.99, 0.99], false],
  ])('holds when the median reaches it (case %#)', (measurement, samples, holds) => {
    expect(verdict(measurement, samples)).toMatchObject({ holds, lost: false, figure: samples[0] });
  });

  it.each([
    [lower, [1.2, 1.21, 1.22, 1.2]],
    [higher, [0.8, 0.81, 0.82, 0.8]],
  ])(
    'that held before is lost when it is missed by more than the noise (case %#)',
    (measurement, samples) => {
      expect(verdict(measurement, samples, held)).toMatchObject({
        holds: false,
        heldBefore: true,
        lost: true,
      });
    },
  );

  it.each([
    [lower, [0.9, 0.95, 1.05, 1.06, 1.1]],
    [higher, [1.1, 1.05, 0.95, 0.94, 0.9]],
  ])('that held before is not lost when it is missed within the noise (case %#)', (measurement, samples) => {
    expect(verdict(measurement, samples, held)).toMatchObject({
      holds: false,
      heldBefore: true,
      lost: false,
    });
  });

  it('that never held cannot be lost', () => {
    expect(verdict(lower, [9, 9, 9])).toMatchObject({ holds: false, heldBefore: false, lost: false });
  });

  it('that became stricter since it was recorded has not held yet', () => {
    const record = { ratio: { target: 2, figure: 1.5 } };
    expect(verdict(lower, [1.5, 1.5, 1.5], record)).toMatchObject({ heldBefore: false, lost: false });
  });

  it('has no verdict when a sample is not a number', () => {
    expect(() => verdict(lower, [Number.NaN, Number.NaN])).toThrow('ratio has no figure');
    expect(() => verdict(lower, [])).toThrow('ratio has no figure');
  });
});

describe('the record of targets that held', () => {
  it('gains what holds, with the figure', () => {
    expect(recordHeld({}, [verdict(lower, [0.91234, 0.91234])])).toEqual({
      ratio: { target: 1, figure: 0.912 },
    });
  });

  it('loses what is lost', () => {
    expect(recordHeld(held, [verdict(lower, [2, 2], held)])).toEqual({});
  });

  it('keeps what is missed within the noise, and what was not measured', () => {
    const record = { ...held, another: { target: 3, figure: 2 } };
    expect(recordHeld(record, [verdict(lower, [0.9, 1.01, 1.1], record)])).toEqual(record);
  });
});
