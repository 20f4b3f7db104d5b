import { describe, expect, it } from 'vitest';
import type { MetricData } from '../../../emulator/cloudwatch/metric-store.ts';
import { recordLogMetrics } from '../../../emulator/logs/function-log.ts';
import { readMetricFilters } from '../../../emulator/logs/metric-filters.ts';
import type { JsonObject } from '../../../emulator/shared/json.ts';
import { resource } from '../support/aws-services.ts';

const now = Date.parse('2026-11-22T12:00:00Z');

function run(entries: readonly JsonObject[], filters: readonly Record<string, unknown>[] = []) {
  const recorded: MetricData[] = [];
  const problems: unknown[] = [];
  const resources = filters.map((filter, index) =>
    resource(`Filter${index}`, 'AWS::Logs::MetricFilter', { LogGroupName: 'group', ...filter }),
  );
  const take = recordLogMetrics({
    functionName: 'fn',
    filters: readMetricFilters(resources)('group'),
    record: (data) => recorded.push(data),
    log: ({ problem }) => problems.push(problem),
    now: () => now,
  });
  entries.forEach(take);
  return { recorded, problems };
}

function embedded(directive: JsonObject, values: JsonObject = {}, Timestamp: number = now): JsonObject {
  return { message: 'm', ...values, _aws: { Timestamp, CloudWatchMetrics: [directive] } };
}

const directive = {
  Namespace: 'Service',
  Dimensions: [[], ['Reason']],
  Metrics: [
    { Name: 'Refused', Unit: 'Count' },
    { Name: 'Time', StorageResolution: 60 },
  ],
};

/** CloudWatch User Guide, "Specification: Embedded metric format". */
describe('the embedded metric format', () => {
  it('gives each metric once for each set of dimensions', () => {
    const { recorded, problems } = run([
      embedded(directive, { Reason: 'expired', Refused: 1, Time: [3, 4] }),
    ]);
    const common = { namespace: 'Service', at: now };
    expect(recorded).toEqual([
      { ...common, name: 'Refused', unit: 'Count', dimensions: {}, values: [1] },
      { ...common, name: 'Time', unit: undefined, dimensions: {}, values: [3, 4] },
      { ...common, name: 'Refused', unit: 'Count', dimensions: { Reason: 'expired' }, values: [1] },
      { ...common, name: 'Time', unit: undefined, dimensions: { Reason: 'expired' }, values: [3, 4] },
    ]);
    expect(problems).toEqual([]);
  });

  it('leaves lines without metrics alone', () => {
    expect(run([{ message: 'm' }, { _aws: 'text' }, { _aws: {} }])).toEqual({ recorded: [], problems: [] });
  });

  const values = { Reason: 'expired', Refused: 1, Time: 2 };
  it.each<[string, JsonObject, RegExp]>([
    ['a dimension that is missing', embedded(directive, { Refused: 1, Time: 2 }), /dimension Reason/],
    ['a dimension that is a number', embedded(directive, { ...values, Reason: 1 }), /dimension Reason/],
    ['a value that is text', embedded(directive, { ...values, Refused: '1' }), /metric Refused/],
    ['a value that is missing', embedded(directive, { Reason: 'x', Refused: 1 }), /metric Time/],
    ['101 values', embedded(directive, { ...values, Time: Array(101).fill(1) }), /metric Time/],
    [
      'an unknown unit',
      embedded({ ...directive, Metrics: [{ Name: 'Refused', Unit: 'Pieces' }] }, values),
      /Unit/,
    ],
    ['no namespace', embedded({ Dimensions: [[]], Metrics: [] }, values), /Namespace/],
    ['no time', { ...values, _aws: { CloudWatchMetrics: [directive] } }, /Timestamp/],
    ['a time in seconds', embedded(directive, values, now / 1000), /too far/],
    ['a time in the future', embedded(directive, values, now + 3 * 3_600_000), /too far/],
  ])('gives nothing, and says why, for %s', (_, line, problem) => {
    const { recorded, problems } = run([line]);
    expect(recorded).toEqual([]);
    expect(problems).toEqual([expect.stringMatching(problem)]);
  });
});

describe('a metric filter', () => {
  const transformation = { MetricNamespace: 'Service', MetricName: 'Second', MetricValue: '1' };

  it('counts the lines that match', () => {
    const filter = {
      FilterPattern: '{ $.message = "a (b) \\"c\\"*" }',
      MetricTransformations: [transformation],
    };
    const { recorded } = run([{ message: 'a (b) "c" and more' }, { message: 'a b' }, { other: 1 }], [filter]);
    expect(recorded).toEqual([
      { namespace: 'Service', name: 'Second', dimensions: {}, unit: undefined, values: [1], at: now },
    ]);
  });

  it('takes value and dimensions from the line, and a default where it does not match', () => {
    const filter = {
      FilterPattern: '{ $.error.kind = "x" }',
      MetricTransformations: [
        {
          ...transformation,
          MetricValue: '$.size',
          DefaultValue: 0,
          Dimensions: [{ Key: 'Function', Value: '$.fn' }],
        },
      ],
    };
    const { recorded } = run(
      [{ error: { kind: 'x' }, size: 5, fn: 'f' }, { error: { kind: 'x' }, size: 5 }, { fn: 'f' }],
      [filter],
    );
    expect(recorded.map(({ values, dimensions }) => [values, dimensions])).toEqual([
      [[5], { Function: 'f' }],
      [[0], { Function: 'f' }],
    ]);
  });

  it.each(['ERROR', '{ $.size > 5 }', '{ $.a = "b" && $.c = "d" }', ''])(
    'refuses the pattern %s',
    (FilterPattern) => {
      expect(() => run([], [{ FilterPattern, MetricTransformations: [transformation] }])).toThrow(
        'Filter0: the filter pattern',
      );
    },
  );

  it('hears only the lines of its log group', () => {
    const filter = resource('Filter', 'AWS::Logs::MetricFilter', {
      LogGroupName: 'group',
      FilterPattern: '{ $.message = "m" }',
      MetricTransformations: [transformation],
    });
    const filtersOf = readMetricFilters([filter]);
    expect(filtersOf('group')({ message: 'm' }, now)).toHaveLength(1);
    expect(filtersOf('other')({ message: 'm' }, now)).toHaveLength(0);
  });
});
