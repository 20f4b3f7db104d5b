import { describe, expect, it } from 'vitest';
import { createAliasRemoval } from '../../../lambdas/alias-removal/alias-removal.ts';

function removal() {
  const done: unknown[] = [];
  const handler = createAliasRemoval({
    sleep: async (milliseconds) => done.push(`waited ${milliseconds}`),
    answerCustomResource: async ({ RequestType }, failure) =>
      void done.push(`answered ${RequestType} ${failure ?? 'well'}`),
    log: (level, message) => done.push(`${level} ${message}`),
  });
  return { handler, done };
}

const request = (RequestType: string) => ({
  RequestType,
  ResponseURL: 'https://answers.test.invalid/',
  StackId: 'stack',
  RequestId: 'request',
  LogicalResourceId: 'Aliases',
});

describe('the removal of the aliases', () => {
  it('is answered a minute later, so that no request is sent to them any more', async () => {
    const { handler, done } = removal();
    await handler(request('Delete'));
    expect(done).toEqual(['waited 60000', 'INFO aliasesLeft', 'answered Delete well']);
  });

  it.each(['Create', 'Update'])('is all that waits: %s is answered immediately', async (type) => {
    const { handler, done } = removal();
    await handler(request(type));
    expect(done).toEqual([`answered ${type} well`]);
  });

  it('is asked for by CloudFormation alone', async () => {
    const { handler, done } = removal();
    await expect(handler({ action: 'remove' })).rejects.toThrow('Not a custom resource request');
    expect(done).toEqual([]);
  });
});
