import { describe, expect, test } from 'vitest';
import type { TableEngine } from '../dynamodb/engine.ts';
import { createRetention } from '../retention.ts';
import { resource } from './support/aws-services.ts';

const table = resource('Limited', 'AWS::DynamoDB::Table', {
  AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
  KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
  BillingMode: 'PAY_PER_REQUEST',
  TimeToLiveSpecification: { AttributeName: 'ends', Enabled: true },
});

/** A retention on a table without end, whose pages come when the test says so. */
function endlessTable() {
  const lines: unknown[] = [];
  const pages: { readonly answer: () => void; readonly fail: () => void }[] = [];
  const engine: TableEngine = {
    run: () =>
      new Promise((resolve, reject) => {
        pages.push({
          answer: () => resolve({ Items: [], LastEvaluatedKey: { id: { S: 'last' } } }),
          fail: () => reject(new Error('Scan failed')),
        });
      }),
    forget: async () => undefined,
    close: async () => undefined,
  };
  const retention = createRetention({
    engine,
    buckets: new Map(),
    resources: [table],
    now: () => new Date(),
    log: (line) => lines.push(line),
  });
  return { stop: retention.start(), pages, lines };
}

describe('retention in the background', () => {
  test.each(['answer', 'fail'] as const)(
    'reads nothing more and logs nothing when it is stopped during a page that will %s',
    async (outcome) => {
      const { stop, pages, lines } = endlessTable();
      await expect.poll(() => pages.length).toBe(1);
      pages[0]?.answer();
      await expect.poll(() => pages.length).toBe(2);
      let stopped = false;
      const stopping = stop().then(() => {
        stopped = true;
      });
      await new Promise((resolve) => setImmediate(resolve));
      expect(stopped).toBe(false);
      pages[1]?.[outcome]();
      await stopping;
      expect(pages).toHaveLength(2);
      expect(lines).toEqual([]);
    },
  );

  test('logs a failure', async () => {
    const { stop, pages, lines } = endlessTable();
    await expect.poll(() => pages.length).toBe(1);
    pages[0]?.fail();
    await expect.poll(() => lines).toMatchObject([{ level: 'error', message: 'retention failed' }]);
    await stop();
  });
});
