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

  it('takes the value from the line, and a default where it does not match', () => {
    const filter = {
      FilterPattern: '{ $.error.kind = "x" }',
      MetricTransformations: [{ ...transformation, MetricValue: '$.size', DefaultValue: 0 }],
    };
    const { recorded } = run(
      [{ error: { kind: 'x' }, size: 5 }, { error: { kind: 'x' } }, { fn: 'f' }],
      [filter],
    );
    expect(recorded.map(({ values }) => values)).toEqual([[5], [0]]);
  });

  it('takes dimensions from the line, and gives nothing where one is missing', () => {
    const filter = {
      FilterPattern: '{ $.status = "429" }',
      MetricTransformations: [
        {
          ...transformation,
          Dimensions: [
            { Key: 'Route', Value: '$.route' },
            { Key: 'Code', Value: '$.detail.code' },
          ],
        },
      ],
    };
    const line = { status: '429', route: 'GET /a', detail: { code: 7 } };
    const { recorded } = run(
      [line, { ...line, status: '200' }, { ...line, detail: {} }, { ...line, route: '' }],
      [filter],
    );
    expect(recorded.map(({ values, dimensions }) => [values, dimensions])).toEqual([
      [[1], { Route: 'GET /a', Code: '7' }],
    ]);
  });

  it.each<[string, Record<string, unknown>, string]>([
    [
      'dimensions and a default value',
      { DefaultValue: 0, Dimensions: [{ Key: 'A', Value: '$.a' }] },
      'mutually',
    ],
    [
      'four dimensions',
      { Dimensions: ['A', 'B', 'C', 'D'].map((Key) => ({ Key, Value: `$.${Key}` })) },
      'more than 3 dimensions',
    ],
    ['a dimension with a fixed value', { Dimensions: [{ Key: 'A', Value: 'a' }] }, 'the selector a '],
    ['a value that is no number', { MetricValue: 'one' }, 'the selector one '],
  ])('refuses %s, as AWS does', (_, change, problem) => {
    const filter = {
      FilterPattern: '{ $.a = "b" }',
      MetricTransformations: [{ ...transformation, ...change }],
    };
    expect(() => run([], [filter])).toThrow(
      new RegExp(`Filter0: its metric Second is refused: .*${problem}`),
    );
  });

  it.each<[string, JsonObject, JsonObject]>([
    ['{ $.size > 5 }', { size: 6 }, { size: 5 }],
    ['{ $.size <= 5.5 }', { size: 5.5 }, { size: 6 }],
    ['{ $.status = 429 }', { status: 429 }, { status: '429' }],
    ['{ $.status = "429" }', { status: '429' }, { status: 429 }],
    ['{ $.status != 200 }', { status: 201 }, { status: 200 }],
    ['{ $.status != 200 }', { status: 201 }, {}],
    ['{ $.a != "b*" }', { a: 'c' }, { a: 'bc' }],
    ['{ $.kind = Update* }', { kind: 'UpdateTrail' }, { kind: 'DeleteTrail' }],
    ['{ $.a = "b" && $.c = "d" }', { a: 'b', c: 'd' }, { a: 'b', c: 'e' }],
    ['{ ($.a = "b") || ($.c = "d") }', { c: 'd' }, { a: 'c', c: 'e' }],
    ['{ $.a = "x" || $.b = "y" && $.c = "z" }', { a: 'x' }, { b: 'y' }],
    ['{ ($.a = "x" || $.b = "y") && $.c = "z" }', { b: 'y', c: 'z' }, { a: 'x' }],
    ['{ $.a IS NULL }', { a: null }, {}],
    ['{ $.a IS TRUE }', { a: true }, { a: 'true' }],
    ['{ $.a IS FALSE }', { a: false }, { a: null }],
    ['{ $.a NOT EXISTS }', {}, { a: null }],
  ])('with the pattern %s matches %o and not %o', (FilterPattern, matching, other) => {
    const filter = { FilterPattern, MetricTransformations: [transformation] };
    expect(run([matching, other], [filter]).recorded).toHaveLength(1);
    expect(run([other], [filter]).recorded).toEqual([]);
  });

  it.each([
    'ERROR',
    '',
    '{ }',
    '[a, b]',
    '{ $.a = %b% }',
    '{ $.a > "b" }',
    '{ $.a = "b" $.c = "d" }',
    '{ ($.a = "b" }',
    '{ $.a[0] = "b" }',
    '{ a = "b" }',
    '{ $.a IS EMPTY }',
    '{ $.a ~ 1 }',
  ])('refuses the pattern %s', (FilterPattern) => {
    expect(() => run([], [{ FilterPattern, MetricTransformations: [transformation] }])).toThrow(
      'Filter0: the filter pattern',
    );
  });

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
