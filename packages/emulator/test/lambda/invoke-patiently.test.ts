import { expect, it } from 'vitest';
import type { InvokeResult } from '../../lambda/invoke.ts';
import { invokePatiently } from '../../lambda/invoke.ts';

const failure = (errorType: string): InvokeResult => ({ ok: false, error: { errorType, errorMessage: '' } });

/** A function that answers these, one after the other. */
function answering(...results: InvokeResult[]) {
  const left = [...results];
  return {
    left,
    invoke: invokePatiently(async () => left.shift() ?? failure('Nothing left')),
  };
}

it('comes again while the concurrency of the function is used up', async () => {
  const busy = failure('TooManyRequestsException');
  const { invoke } = answering(busy, busy, { ok: true, payload: 'done' });
  expect(await invoke('rotate', {})).toEqual({ ok: true, payload: 'done' });
});

it('leaves any other failure to the service', async () => {
  const { invoke, left } = answering(failure('Error'), { ok: true, payload: 'done' });
  expect(await invoke('rotate', {})).toEqual(failure('Error'));
  expect(left).toHaveLength(1);
});
