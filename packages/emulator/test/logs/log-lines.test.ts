import type { MetricData } from '../../cloudwatch/metric-store.ts';
import { readFilterPattern } from '../../logs/filter-pattern.ts';
import { recordLogMetrics } from '../../logs/log-lines.ts';
import { readMetricFilters } from '../../logs/metric-filters.ts';
import type { JsonObject } from '../../shared/json.ts';
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
    { Name: 'Rejected', Unit: 'Count' },
    { Name: 'Time', Unit: 'Milliseconds' },
  ],
};

/** CloudWatch User Guide, "Specification: Embedded metric format". */
describe('the embedded metric format', () => {
  it('returns each metric once for each set of dimensions', () => {
    const { recorded, problems } = run([embedded(directive, { Reason: 'expired', Rejected: 1, Time: 3 })]);
    const common = { namespace: 'Service', at: now };
    expect(recorded).toEqual([
      { ...common, name: 'Rejected', dimensions: {}, values: [1] },
      { ...common, name: 'Time', dimensions: {}, values: [3] },
      { ...common, name: 'Rejected', dimensions: { Reason: 'expired' }, values: [1] },
      { ...common, name: 'Time', dimensions: { Reason: 'expired' }, values: [3] },
    ]);
    expect(problems).toEqual([]);
  });

  it('ignores lines without metrics', () => {
    expect(run([{ message: 'm' }, { _aws: 'text' }, { _aws: {} }])).toEqual({ recorded: [], problems: [] });
  });

  const values = { Reason: 'expired', Rejected: 1, Time: 2 };
  it.each<[string, JsonObject, string]>([
    [
      'a value that is a text',
      embedded(directive, { ...values, Rejected: '1' }),
      'the metric Rejected is not a number',
    ],
    [
      'a long dimension',
      embedded(directive, { ...values, Reason: 'x'.repeat(1025) }),
      'the dimension Reason is not a text of 1 to 1024 characters',
    ],
    [
      'an empty dimension',
      embedded(directive, { ...values, Reason: '' }),
      'the dimension Reason is not a text of 1 to 1024 characters',
    ],
    [
      'no time',
      { ...values, _aws: { CloudWatchMetrics: [directive] } },
      '_aws.Timestamp: Invalid key: Expected "Timestamp" but received undefined',
    ],
    ['a time in seconds', embedded(directive, values, now / 1000), '_aws.Timestamp: is too far from now'],
  ])('returns no metrics but the reason for %s', (_, line, problem) => {
    const { recorded, problems } = run([line]);
    expect(recorded).toEqual([]);
    expect(problems).toEqual([problem]);
  });
});

describe('a metric filter', () => {
  const MetricTransformations = [{ MetricNamespace: 'Service', MetricName: 'Throttled', MetricValue: '1' }];

  it('counts the lines of its log group in which a member equals a text', () => {
    const filter = { FilterPattern: '{ $.status = "429" }', MetricTransformations };
    const { recorded } = run(
      [{ status: '429' }, { status: '4290' }, { status: 429 }, { other: 1 }],
      [filter, { ...filter, LogGroupName: 'other' }],
    );
    expect(recorded).toEqual([
      { namespace: 'Service', name: 'Throttled', dimensions: {}, values: [1], at: now },
    ]);
  });

  it.for<readonly [string, readonly JsonObject[]]>([
    ['{ $.a = "4*" }', [{ a: '4' }, { a: 4 }, { a: '404', b: '1' }]],
    ['{ $.a = "4*" && $.b = "1" }', [{ a: '404', b: '1' }]],
    ['{ $.a = "4" || $.b = "1" }', [{ a: '4' }, { a: '404', b: '1' }, { a: '14', b: '1' }]],
  ])('matches by %s', ([FilterPattern, expected]) => {
    const lines = [{ a: '4' }, { a: 4 }, { a: '404', b: '1' }, { a: '14', b: '1' }];
    const matches = readFilterPattern(FilterPattern) ?? (() => undefined);
    expect(lines.filter(matches)).toEqual(expected);
  });

  it.for(['ERROR', '{ $.a = "b*c" }', '{ $.a = "b" && $.c = "d" || $.e = "f" }'])(
    'rejects an unsupported pattern: %s',
    (FilterPattern) => {
      const read = () => run([], [{ FilterPattern, MetricTransformations }]);
      expect(read).toThrow('Filter0: the filter pattern');
    },
  );
});
