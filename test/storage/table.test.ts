import { describe, expect, test } from 'vitest';
import { conditionalWrite } from '../../storage/table.ts';

function named(name: string): Error {
  return Object.assign(new Error('of DynamoDB'), { name });
}

describe('a conditional write', () => {
  test('gives its answer', async () => {
    expect(await conditionalWrite(Promise.resolve('answer'))).toBe('answer');
  });

  test('is refused when its condition did not hold', async () => {
    expect(await conditionalWrite(Promise.reject(named('ConditionalCheckFailedException')))).toBe('refused');
  });

  // Whoever takes these for a refusal believes that another writer has done the work, and the upload is lost.
  test.each([
    'ProvisionedThroughputExceededException',
    'ThrottlingException',
    'RequestLimitExceeded',
    'InternalServerError',
    'ServiceUnavailable',
    'TransactionConflictException',
    'ItemCollectionSizeLimitExceededException',
    'ResourceNotFoundException',
    'AccessDeniedException',
    'ValidationException',
    'ExpiredTokenException',
    'TimeoutError',
    'AbortError',
    'SyntaxError',
    'Error',
  ])('that ends with %s is an error, never taken for refused', async (name) => {
    const error = named(name);
    await expect(conditionalWrite(Promise.reject(error))).rejects.toBe(error);
  });

  test('that ends with something other than an error throws it', async () => {
    const thrown = { name: 'ConditionalCheckFailedException' };
    await expect(conditionalWrite(Promise.reject(thrown))).rejects.toBe(thrown);
  });
});
