import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { keepMetrics } from '../../cloudwatch/kept-metrics.ts';
import { createMetricStore, type MetricStore, minute } from '../../cloudwatch/metric-store.ts';

const noon = Date.parse('2026-11-22T12:00:00Z');
const metric = { namespace: 'Service', name: 'Requests', dimensions: { Route: 'a', Stage: 'b' } };
const all = { ...metric, from: 0, until: Number.POSITIVE_INFINITY };

function put(store: MetricStore, value: number, at: number): void {
  store.record({ ...metric, values: [value], at });
}

describe('the metric store', () => {
  it('tells apart metrics by namespace, name and every dimension, in any order of dimensions', () => {
    const store = createMetricStore();
    put(store, 1, noon);
    expect(store.find({ ...all, dimensions: { Stage: 'b', Route: 'a' } })).toEqual([1]);
    for (const other of [
      { dimensions: { Route: 'a' } },
      { dimensions: {} },
      { name: 'x' },
      { namespace: 'x' },
    ]) {
      expect(store.find({ ...all, ...other })).toEqual([]);
    }
  });

  it('finds the values of a stretch of time, whose end does not belong to it', () => {
    const store = createMetricStore();
    for (const index of [0, 1, 2]) {
      put(store, 10 ** index, noon + index * minute);
    }
    const found = (from: number, until: number) => store.find({ ...all, from, until });
    expect(found(noon, noon + 2 * minute)).toEqual([1, 10]);
    expect(found(noon + minute, noon + 3 * minute)).toEqual([10, 100]);
    expect(found(noon - minute, noon)).toEqual([]);
  });

  it('drops minutes after 15 days', () => {
    const store = createMetricStore();
    put(store, 1, noon);
    put(store, 2, noon + minute);
    store.age(noon + minute + 15 * 24 * 60 * minute);
    expect(store.buckets().map(({ start }) => start)).toEqual([noon + minute]);
  });
});

it('metrics are there after a restart, also when the disk was full for a while', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'emulator-metrics-'));
  const failures: unknown[] = [];
  const disk = { noteFailure: (error: unknown) => void failures.push(error) };
  const first = createMetricStore();
  const save = await keepMetrics(directory, first, disk);
  put(first, 1, noon);
  await save();
  put(first, 5, noon);
  // A folder in the place of the file cannot be replaced, whoever runs the test.
  await rename(join(directory, 'metrics.jsonl'), join(directory, 'away'));
  await mkdir(join(directory, 'metrics.jsonl', 'in-the-way'), { recursive: true });
  await save();
  expect(failures).toHaveLength(1);
  await rm(join(directory, 'metrics.jsonl'), { recursive: true });
  await save();
  const second = createMetricStore();
  await keepMetrics(directory, second, disk);
  expect(second.buckets()).toEqual(first.buckets());
  expect(second.find(all)).toEqual([1, 5]);
  await rm(directory, { recursive: true });
});
