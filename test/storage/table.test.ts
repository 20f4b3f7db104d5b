import { conditionalWrite } from '../../storage/table.ts';

function named(name: string): Error {
  return Object.assign(new Error('of DynamoDB'), { name });
}

// A caller that mistakes these errors for a rejection assumes that another writer did the work. The upload is then
// lost.
test.for([
  ...['ThrottlingException', 'TransactionConflictException', 'TimeoutError', 'Error'].map(named),
  { name: 'ConditionalCheckFailedException' },
])('a conditional write that fails with $name is an error, never rejected', async (failure) => {
  await expect(conditionalWrite(Promise.reject(failure))).rejects.toBe(failure);
});
