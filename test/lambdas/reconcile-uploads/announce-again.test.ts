import { announceAgain } from '../../../lambdas/reconcile-uploads/reconcile-upload.ts';
import { id, objectOf, recordingOf } from '../shared/recording/fake-store.ts';

test('an upload is announced again with its place in the file, until its file is deleted', async () => {
  const { store, record, dependencies } = recordingOf(2);
  await record(objectOf(1));
  await record(objectOf(2));
  store.announced.length = 0;
  const again = (number: number) => announceAgain(store.upload(id(number)), dependencies);

  expect([await again(1), await again(2)]).toEqual(['announced', 'announced']);
  expect(store.announced).toMatchObject([{ isNewestContent: false }, { isNewestContent: true }]);

  store.change('orders.csv', { deleted_at: '2026-01-31T12:00:00.000Z' });
  expect(await again(1)).toBe('unchanged');
});

test('a cancelled upload is announced again with the time at which it was cancelled', async () => {
  const { store, dependencies } = recordingOf(1);
  const [at, announced_at] = ['2026-01-31T08:10:00.000Z', '2026-01-31T08:11:00.000Z'];
  store.change(id(1), { state: 'cancelled', cancelled_at: at, announced_at });
  const upload = store.upload(id(1));
  expect(await announceAgain(upload, dependencies)).toBe('announced');
  expect(store.announced).toEqual([{ kind: 'cancelled', upload, at }]);
});
