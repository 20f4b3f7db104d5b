import { backoffMilliseconds } from '../backoff.ts';
import { parseBaseUrl } from '../service.ts';

test('retries back off exponentially with full jitter, up to 20 s', () => {
  expect([1, 2, 3, 6, 7, 20].map((attempt) => backoffMilliseconds(attempt, 1))).toEqual([
    1000, 2000, 4000, 20_000, 20_000, 20_000,
  ]);
  expect(backoffMilliseconds(3, 0)).toBe(2000);
});

test.for([
  ['https://files.example.com/', 'https://files.example.com'],
  ['https://files.example.com/api//', 'https://files.example.com/api'],
  ['http://localhost:3000', 'http://localhost:3000'],
  ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
  ['http://[::1]:3000', 'http://[::1]:3000'],
])('%s is a base URL', ([typed = '', used]) => {
  expect(parseBaseUrl(typed)).toBe(used);
});

test.for([
  ['files.example.com', 'must start with https'],
  ['http://files.example.com', 'must start with https'],
  ['http://127.0.0.1.example.com', 'must start with https'],
  ['ftp://localhost', 'must start with https'],
  ['https://user@files.example.com', 'must not have a user'],
  ['https://:password@files.example.com', 'must not have a user'],
  ['https://files.example.com?a', 'must not have a user'],
  ['https://files.example.com#a', 'must not have a user'],
])('%s is no base URL', ([typed = '', reason]) => {
  expect(() => parseBaseUrl(typed)).toThrow(reason);
});
