import { expect, it } from 'vitest';
import { parseStatistic } from '../../cloudwatch/statistics.ts';

const statistic = (name: string, values: readonly number[]) => parseStatistic(name)?.(values);

it('the values of a metric have the statistics of CloudWatch', () => {
  const names = ['Sum', 'Maximum', 'p50', 'p99', 'tm90'];
  expect(names.map((name) => statistic(name, [3, 1, 8]))).toEqual([12, 8, 3, 8, undefined]);
});

it('percentiles do not depend on the order of the values', () => {
  const values = Array.from({ length: 1000 }, (_, index) => ((index * 7) % 1000) + 1);
  expect(['p1', 'p50', 'p99', 'p99.9', 'p100'].map((name) => statistic(name, values))).toEqual([
    10, 500, 990, 999, 1000,
  ]);
});
