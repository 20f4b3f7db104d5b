import { expect, test } from 'vitest';
import { backoffMilliseconds } from '../../../tools/upload/retry.ts';
import { parseBaseUrl } from '../../../tools/upload/settings.ts';

test('retries back off exponentially with full jitter, up to 20 s', () => {
  expect([1, 2, 3, 6, 7, 20].map((attempt) => backoffMilliseconds(attempt, 1))).toEqual([
    1000, 2000, 4000, 20_000, 20_000, 20_000,
  ]);
  expect(backoffMilliseconds(3, 0)).toBe(2000);
});

test.for([
  ['https://files.example.com/', 'https://files.example.com'],
  ['https://files.example.com/api/', 'https://files.example.com/api'],
  ['http://[::1]:3000/', 'http://[::1]:3000'],
] as const)('the base URL %s is %s', ([value, baseUrl]) => expect(parseBaseUrl(value)).toBe(baseUrl));

test.for([
  'http://10.0.0.1',
  'http://127.0.0.1.example.com',
  'ftp://x',
  'x',
  'https://u:p@x',
  'https://x/?q',
] as const)('%s is refused as a base URL', (value) => {
  expect(() => parseBaseUrl(value)).toThrow(/base URL/);
});
