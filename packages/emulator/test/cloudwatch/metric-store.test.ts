import { appendFile, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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
    expect(store.summarize({ ...all, dimensions: { Stage: 'b', Route: 'a' } })?.sum).toBe(1);
    for (const other of [
      { dimensions: { Route: 'a' } },
      { dimensions: {} },
      { name: 'x' },
      { namespace: 'x' },
    ]) {
      expect(store.summarize({ ...all, ...other })).toBeUndefined();
    }
  });

  it('finds the values of a stretch of time, whose end does not belong to it', () => {
    const store = createMetricStore();
    for (const index of [0, 1, 2]) {
      put(store, 10 ** index, noon + index * minute);
    }
    const sum = (from: number, until: number) => store.summarize({ ...all, from, until })?.sum;
    expect(sum(noon, noon + 2 * minute)).toBe(11);
    expect(sum(noon + minute, noon + 3 * minute)).toBe(110);
    expect(sum(noon - minute, noon)).toBeUndefined();
  });

  it('drops minutes after 15 days', () => {
    const store = createMetricStore();
    put(store, 1, noon);
    put(store, 2, noon + minute);
    store.age(noon + minute + 15 * 24 * 60 * minute);
    expect(store.buckets().map(({ start }) => start)).toEqual([noon + minute]);
  });
});

describe('kept metrics', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'emulator-metrics-'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  const open = async (now = noon, failures: unknown[] = []) => {
    const store = createMetricStore();
    const disk = { noteFailure: (error: unknown) => void failures.push(error) };
    return { store, kept: await keepMetrics({ directory, store, now: () => now, disk }) };
  };

  it('are there after a restart, with the last state of each minute', async () => {
    const first = await open();
    put(first.store, 1, noon);
    await first.kept.save();
    put(first.store, 5, noon);
    await first.kept.save();
    const { store } = await open();
    expect([...store.buckets()]).toEqual([...first.store.buckets()]);
    expect(store.summarize(all)).toMatchObject({ count: 2, sum: 6 });
  });

  it('survive a line that was cut short', async () => {
    const first = await open();
    put(first.store, 1, noon);
    await first.kept.save();
    await appendFile(join(directory, 'metrics.jsonl'), '{"namespace":"Service","na');
    const second = await open();
    expect(second.store.summarize(all)?.sum).toBe(1);
    expect(await readFile(join(directory, 'metrics.jsonl'), 'utf8')).not.toContain('"na\n');
  });

  it('do not grow with the number of saves', async () => {
    const { store, kept } = await open();
    const path = join(directory, 'metrics.jsonl');
    let largest = 0;
    for (let round = 0; round < 300; round += 1) {
      for (let index = 0; index < 100; index += 1) {
        store.record({ ...metric, name: `m${index}`, values: [1], at: noon });
      }
      await kept.save();
      largest = Math.max(largest, (await stat(path)).size);
    }
    const line = largest / 20_300;
    expect(line).toBeLessThan(300);
    expect((await open()).store.summarize({ ...all, name: 'm7' })?.sum).toBe(300);
  });
});
