import { recordEvent } from '../../../lambdas/record-upload/record-event.ts';
import { type Announce, NotAnnouncedError } from '../../../lambdas/shared/recording/announce.ts';
import { id, objectOf, recordingOf } from '../shared/recording/fake-store.ts';

const announce: Announce = async ({ upload }) => {
  throw new NotAnnouncedError(upload, 'ThrottlingException');
};

test('an upload whose event is throttled is due in five minutes', async () => {
  const { upload, dependencies, file, lines } = recordingOf(1);
  await recordEvent(objectOf(1), { ...dependencies, announce });
  expect(file()?.content?.upload_id).toBe(id(1));
  expect(upload()).toMatchObject({ state: 'issued', due_at: '2026-01-31T09:05:00.000Z' });
  const line = { message: 'announcementWaits', upload_id: id(1), error_name: 'NotAnnouncedError' };
  expect(lines).toMatchObject([{ level: 'WARN', ...line }]);
});

test('an event fails if it is throttled, and its upload is not due any more', async () => {
  const { store, dependencies } = recordingOf(1);
  const { due_at: _at, ...item } = store.items.get(id(1)) ?? {};
  store.items.set(id(1), item);
  await expect(recordEvent(objectOf(1), { ...dependencies, announce })).rejects.toThrow('Throttling');
});
