import { noon } from '../../../support/signing-keys.ts';
import { id, objectOf, recordingOf } from './fake-store.ts';

const [first, second] = [objectOf(1), objectOf(1, { versionId: 'second', size: 99, etag: 'second' })];

/** Returns the log line about an unrecorded version, which requires an operator. */
const incident = (version_id: string, size: number) => ({
  level: 'ERROR',
  message: 'secondVersion',
  upload_id: id(1),
  file_id: 'orders.csv',
  version_id,
  size,
});
const incidentsIn = (lines: readonly { readonly message: string }[]) =>
  lines.filter(({ message }) => message === 'secondVersion');

test('of two versions the one recorded first stays', async () => {
  const { store, record, file, lines, values } = recordingOf(1);
  await record(second);
  const before = [...store.items];
  expect(await record(first)).toBe('ignored');
  expect([...store.items]).toEqual(before);
  expect(file().content).toMatchObject({ version_id: 'second', size: 99 });
  expect(store.announced).toMatchObject([{ content: { version_id: 'second' } }]);
  expect(incidentsIn(lines)).toEqual([incident('version-1', 1)]);
  expect(values).toContainEqual({ SecondVersions: 1 });
});

describe('an object that comes for a cancelled upload', () => {
  test('is a second version: the upload stays cancelled, without content', async () => {
    const { store, record, file, upload, lines } = recordingOf(1);
    await store.tables.cancelUpload(id(1), noon.toISOString(), noon.toISOString());
    expect(await record(second)).toBe('ignored');
    expect(lines).toEqual([incident('second', 99)]);
    expect(file().content).toBeUndefined();
    expect(upload().state).toBe('cancelled');
    expect(store.announced).toEqual([]);
  });

  test('is one too, if the upload is cancelled while it is recorded', async () => {
    const { store, record, lines } = recordingOf(1);
    const { announce, tables } = store;
    const cancelling: typeof announce = async (announcement) => {
      await tables.cancelUpload(id(1), noon.toISOString(), noon.toISOString());
      return announce(announcement);
    };
    expect(await record(second, { announce: cancelling })).toBe('ignored');
    expect(lines).toEqual([incident('second', 99)]);
  });
});

test('the tombstone `cancelled` of a completed upload is a second version', async () => {
  const { store, record, upload, lines } = recordingOf(1);
  await record(first);
  store.tagsByVersion.set('tombstone', 'cancelled');
  expect(await record(objectOf(1, { size: 0, versionId: 'tombstone' }))).toBe('ignored');
  expect(upload()).toMatchObject({ state: 'completed', version_id: 'version-1' });
  expect(incidentsIn(lines)).toEqual([incident('tombstone', 0)]);
});
