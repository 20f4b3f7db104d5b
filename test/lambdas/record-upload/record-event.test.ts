import { expect, test } from 'vitest';
import { recordEvent } from '../../../lambdas/record-upload/record-event.ts';
import { type Announce, NotAnnounced } from '../../../lambdas/shared/recording/announce.ts';
import { id, objectOf, recordingOf } from '../shared/recording/fake-store.ts';

const announce: Announce = async ({ upload }) => {
  throw new NotAnnounced(upload, 'ThrottlingException');
};

test('an event fails if it is throttled, and its upload is not due any more', async () => {
  const { store, dependencies } = recordingOf(1);
  store.change(id(1), { due_at: undefined });
  await expect(recordEvent(objectOf(1), { ...dependencies, announce })).rejects.toThrow('Throttling');
});
