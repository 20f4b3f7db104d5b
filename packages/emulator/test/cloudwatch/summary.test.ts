import { describe, expect, it } from 'vitest';
import { addValue, parseStatistic, type Summary } from '../../cloudwatch/summary.ts';

function summaryOf(values: readonly number[]): Summary {
  const summary = values.reduce<Summary | undefined>((sum, value) => addValue(sum, value), undefined);
  if (summary === undefined) {
    throw new Error('no values');
  }
  return summary;
}

function statistic(name: string, values: readonly number[]): number | undefined {
  return parseStatistic(name)?.(summaryOf(values));
}

describe('the values of a metric', () => {
  it('have the statistics of CloudWatch', () => {
    const values = [3, 1, 8];
    expect(
      ['SampleCount', 'Sum', 'Average', 'Minimum', 'Maximum'].map((name) => statistic(name, values)),
    ).toEqual([3, 12, 4, 1, 8]);
  });

  it('have percentiles that are off by less than one percent', () => {
    const values = Array.from({ length: 1000 }, (_, index) => index + 1);
    for (const [name, exact] of [
      ['p50', 500],
      ['p99', 990],
      ['p99.9', 999],
      ['p1', 10],
    ] as const) {
      expect(Math.abs((statistic(name, values) ?? 0) - exact) / exact).toBeLessThan(0.01);
    }
    expect(statistic('p100', values)).toBe(1000);
  });
});
