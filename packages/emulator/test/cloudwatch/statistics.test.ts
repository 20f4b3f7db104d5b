import { parseStatistic } from '../../cloudwatch/statistics.ts';

it('the values of a metric have the statistics of CloudWatch, in any order', () => {
  const values = Array.from({ length: 1000 }, (_, index) => ((index * 7) % 1000) + 1);
  const names = ['Sum', 'Maximum', 'p1', 'p50', 'p99.9', 'p100', 'tm90'];
  expect(names.map((name) => parseStatistic(name)?.(values))).toEqual([
    500_500,
    1000,
    10,
    500,
    999,
    1000,
    undefined,
  ]);
});
