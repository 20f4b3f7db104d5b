import { expect, test } from 'vitest';
import { recordEvent } from '../../../lambdas/record-upload/record-event.ts';
import { NotAnnounced } from '../../../lambdas/shared/recording/announce.ts';
import { noon } from '../../support/signing-keys.ts';
import { id, objectOf, recordingOf } from '../shared/recording/fake-store.ts';

const throttled = {
  announce: ({ upload }: { upload: never }) => Promise.reject(new NotAnnounced(upload, 'busy')),
};

test('an upload whose event is throttled points its file, and becomes due in five minutes', async () => {
  const { store, dependencies, file, lines } = recordingOf(1);
  await recordEvent(objectOf(1), { ...dependencies, ...throttled } as never);
  expect(file()?.content?.upload_id).toBe(id(1));
  const due_at = new Date(noon.getTime() + 300_000).toISOString();
  expect(store.upload(id(1))).toMatchObject({ state: 'issued', due_at });
  expect(lines).toMatchObject([{ level: 'WARN', message: 'announcementWaits', upload_id: id(1) }]);
});

test.for([
  ['was throttled, and is due no more', throttled],
  ['failed otherwise', { announce: () => Promise.reject(new Error('broken')) }],
] as const)('an event fails if its announcement %s', async ([, others]) => {
  const { store, dependencies } = recordingOf(1);
  store.change(id(1), { due_at: undefined });
  await expect(recordEvent(objectOf(1), { ...dependencies, ...others } as never)).rejects.toThrow();
});
