import { createMetricStore, type MetricStore, minute } from '../../cloudwatch/metric-store.ts';

const noon = Date.parse('2026-11-22T12:00:00Z');
const metric = { namespace: 'Service', name: 'Requests', dimensions: { Route: 'a', Stage: 'b' } };
/** Query of the metric, with its dimensions in another order. */
const all = { ...metric, dimensions: { Stage: 'b', Route: 'a' }, from: 0, until: Number.POSITIVE_INFINITY };

function put(store: MetricStore, value: number, at: number): void {
  store.record({ ...metric, values: [value], at });
}

describe('the metric store', () => {
  it.for([{ dimensions: { Route: 'a' } }, { name: 'x' }, { namespace: 'x' }])(
    'distinguishes a metric from a metric with %j',
    (other) => {
      const store = createMetricStore();
      put(store, 1, noon);
      expect(store.find({ ...all, ...other })).toEqual([]);
    },
  );

  it('drops minutes after 15 days', () => {
    const store = createMetricStore();
    put(store, 1, noon);
    put(store, 2, noon + minute);
    store.age(noon + minute + 15 * 24 * 60 * minute);
    expect(store.buckets().map(({ start }) => start)).toEqual([noon + minute]);
  });
});
