import { parseRetentionDays, readEnvironment } from '../../../lambdas/shared/environment.ts';

test('all variables that are missing or empty are named', () => {
  const source = { BASE_URL: 'https://a', FILES_TABLE_NAME: '' };
  expect(() => readEnvironment(['filesTableName', 'baseUrl', 'signingAlgorithm'], source)).toThrow(
    'Missing environment variable: FILES_TABLE_NAME, SIGNING_ALGORITHM',
  );
});

test('the retention of upload records is a number of days, or absent', () => {
  expect(parseRetentionDays('30')).toBe(30);
  expect(parseRetentionDays('forever')).toBeUndefined();
});
