import { describe, expect, it } from 'vitest';
import type { MeasuredRequest } from '../../bench/billed-time/inputs.ts';
import {
  coldDuration,
  coreShare,
  costOfKind,
  duration,
  keycloakCost,
  lambdaCost,
  secondsPerMonth,
  sum,
  total,
} from '../../bench/billed-time/model.ts';
import { prices } from '../../bench/billed-time/prices.ts';
import { scaleTables } from '../../bench/billed-time/tables.ts';

/** A request of 2 ms of CPU and two calls, one after the other. */
const request: MeasuredRequest = {
  cpuMicroseconds: 2000,
  coldCpuMilliseconds: 100,
  calls: { GetItem: 1, AssumeRole: 1 },
  waits: 2,
  logBytes: 174,
  logLines: 1,
  answerBytes: 1000,
  peakMegabytes: 100,
};

describe('the time of a request', () => {
  it('is its CPU time at the share of its memory, and its waits in turn', () => {
    expect(coreShare(1769)).toBe(1);
    expect(coreShare(3538)).toBe(1);
    expect(coreShare(884.5)).toBe(0.5);
    expect(duration(request, 1769, 3)).toBe(8);
    expect(duration(request, 884.5, 3)).toBe(10);
    expect(duration(request, 3538, 10)).toBe(22);
  });

  it('of a cold start has the wait for the key too', () => {
    expect(coldDuration(request, 884.5, 3)).toBe(209);
  });
});

describe('the price of a million requests', () => {
  it('of Lambda is for gigabytes and seconds, rounded up, and one in a hundred is cold', () => {
    // 1,024 MB are one GB. 8.5 ms would be billed warm at a whole core, 109.5 ms cold.
    const { requests, warm, cold } = lambdaCost(
      { ...request, cpuMicroseconds: 0, coldCpuMilliseconds: 0 },
      1024,
      3,
    );
    expect(requests).toBe(0.2);
    expect(warm).toBeCloseTo(0.99 * 6.5 * 0.0133334, 10);
    expect(cold).toBeCloseTo(0.01 * 9.5 * 0.0133334, 10);
  });

  it.each([
    [100, 259.2, 1],
    [1_000, 2592, (300 * 1 + 2292 * 0.9) / 2592],
  ])('of API Gateway at %i per second is that of its tiers', (perSecond, millions, price) => {
    const requestsPerMonth = perSecond * secondsPerMonth;
    expect(requestsPerMonth).toBe(millions * 1e6);
    const cost = costOfKind(request, { kind: 'token', memory: 1024, waitMilliseconds: 3, requestsPerMonth });
    expect(cost['API Gateway']).toBeCloseTo(price, 10);
  });

  it('has every call, every index that is written, and every logged byte', () => {
    const options = { memory: 1024, waitMilliseconds: 3, requestsPerMonth: 1e6 };
    const sync = costOfKind(request, { kind: 'sync', ...options });
    expect(sync.DynamoDB).toBeCloseTo(0.125 + 4 * 0.625, 10);
    // 174 + 26 bytes of the function, 420 + 26 of API Gateway, at 0.50 dollars for a GB.
    expect(sync.logs).toBeCloseTo(0.646 * 0.5, 10);
    expect(sync['data out']).toBeCloseTo(0.09, 10);
    expect(sync.S3).toBe(0);
    const recorded = { ...request, calls: { ListObjectVersions: 1, PutObject: 1, GetObjectTagging: 1 } };
    const content = costOfKind(recorded, { kind: 'content', ...options });
    expect(content.S3).toBeCloseTo(10.4, 10);
    expect([content['API Gateway'], content['data out'], content.EventBridge]).toEqual([0, 0, 1]);
  });

  it('is the sum of its parts', () => {
    expect(total(sum([{ a: 1, b: 2 }, { b: 3 }]))).toBe(6);
    expect(sum([{ a: 1, b: 2 }, { b: 3 }])).toEqual({ a: 1, b: 5 });
  });

  it('from Keycloak is that of two servers at least', () => {
    const pair = 2 * 0.03238 + 2.5 * 0.00356 + 0.13;
    expect(keycloakCost(10)).toBeCloseTo(pair / 0.036, 10);
    expect(keycloakCost(1)).toBeCloseTo(10 * keycloakCost(10), 10);
    // 960 tokens per second: eight vCPUs, and one and a half times as many in reserve.
    expect(keycloakCost(960)).toBeCloseTo((20 * 0.03238 + 5 * 1.25 * 0.00356 + 0.13) / 3.456, 10);
  });
});

it('every price has a page that publishes it, and a date', () => {
  for (const { published, date, dollars } of Object.values(prices)) {
    expect(published).toMatch(/^https:\/\/aws\.amazon\.com\//);
    expect(date).not.toBe('');
    expect(dollars).toBeGreaterThanOrEqual(0);
  }
});

it('no table has a figure that is missing', () => {
  for (const table of Object.values(scaleTables())) {
    expect(table).not.toMatch(/NaN|undefined|Infinity/);
  }
});
