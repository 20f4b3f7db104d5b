import { describe, expect, test } from 'vitest';
import { isEarlier } from '../../../../lambdas/shared/recording/second-version.ts';
import { noon } from '../../../support/signing-keys.ts';
import { dyingAt, id, objectOf, recordingOf } from './fake-store.ts';

const sequencer = '0055AED6DCD90281E6';
const second = objectOf(1, { versionId: 'second', size: 99, etag: 'second', sequencer, sourceIp: undefined });

/** What the log says of a second version, which people must see. */
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

describe('a second version of an upload, which S3 should never accept,', () => {
  test('is reported each time, and does not become content, when its event comes second', async () => {
    const { store, record, file, lines, values } = recordingOf(1);
    for (const event of [objectOf(1), second, objectOf(1), second]) {
      await record(event);
      expect(file()?.content?.version_id).toBe('version-1');
    }
    expect(store.upload(id(1))).toMatchObject({ state: 'completed', version_id: 'version-1', size: 1 });
    expect(incidentsIn(lines)).toEqual([incident('second', 99), incident('second', 99)]);
    expect(values).toContainEqual({ SecondVersions: 1 });
    const content = { version_id: 'version-1' };
    expect(store.announced).toMatchObject([{ content }, { content }, { content }]);
  });

  test('is reported when its event comes first, and does not stay content: the first version is announced', async () => {
    const { store, record, file, lines, values } = recordingOf(1);
    store.checksums.set('version-1', '1BGd19PD4OU=');
    await record(second);
    expect(store.upload(id(1))).toMatchObject({ version_id: 'second' });
    expect(await record(objectOf(1))).toBe('completed');
    const facts = { version_id: 'version-1', size: 1, checksum_crc64nvme: '1BGd19PD4OU=' };
    expect(store.upload(id(1))).toMatchObject({ ...facts, uploaded_from: '192.0.2.7' });
    expect(file()?.content).toMatchObject(facts);
    expect(incidentsIn(lines)).toEqual([incident('second', 99)]);
    expect(values).toContainEqual({ SecondVersions: 1 });
    expect(store.announced).toMatchObject([
      { content: { version_id: 'second' } },
      { kind: 'completed', content: facts, isCorrection: true, isNewestContent: true },
    ]);
    // Whatever comes again changes nothing.
    await record(second);
    await record(objectOf(1));
    expect(store.upload(id(1))).toMatchObject(facts);
    expect(file()?.content).toMatchObject(facts);
    expect(store.announced.at(-1)).toMatchObject({ content: facts, isCorrection: true });
  });

  test('is corrected in the record, and not in the file, after later content replaced it', async () => {
    const { store, record, file } = recordingOf(2);
    await record(second);
    await record(objectOf(2));
    await record(objectOf(1));
    expect(store.upload(id(1))).toMatchObject({ version_id: 'version-1' });
    expect(file()?.content).toMatchObject({ upload_id: id(2), version_id: 'version-2' });
    expect(store.announced.at(-1)).toMatchObject({ isCorrection: true, isNewestContent: false });
  });

  test('is corrected after a crash at each step', async () => {
    for (let step = 0, died = true; died; step += 1) {
      const { store, record, file } = recordingOf(1);
      await record(second);
      died = await dyingAt(step, store, () => record(objectOf(1)));
      await record(objectOf(1));
      expect(store.upload(id(1))).toMatchObject({ version_id: 'version-1' });
      expect(file()?.content).toMatchObject({ version_id: 'version-1' });
      expect(store.announced.filter((it) => 'isCorrection' in it)).not.toEqual([]);
    }
  });

  test('is any other than what was recorded without a sequencer, of which a list showed that it is the first', async () => {
    const { store, record, file } = recordingOf(1);
    await record(objectOf(1, { sequencer: undefined }));
    expect(await record(second)).toBe('ignored');
    expect(store.upload(id(1))).toMatchObject({ version_id: 'version-1' });
    expect(file()?.content?.version_id).toBe('version-1');
  });

  test('is what comes for a cancelled upload, also if it is cancelled while its content is recorded', async () => {
    const { store, record, file, lines } = recordingOf(1);
    await store.tables.cancelUpload(id(1), noon.toISOString());
    expect(await record(second)).toBe('ignored');
    expect(lines).toEqual([incident('second', 99)]);
    expect(file()?.content).toBeUndefined();
    expect(store.upload(id(1)).state).toBe('cancelled');
    expect(store.announced).toEqual([]);

    const meanwhile = recordingOf(1);
    const { announce, tables } = meanwhile.store;
    const cancelling: typeof announce = async (announcement) => {
      await tables.cancelUpload(id(1), noon.toISOString());
      return announce(announcement);
    };
    expect(await meanwhile.record(second, { announce: cancelling })).toBe('ignored');
    expect(meanwhile.lines).toEqual([incident('second', 99)]);
  });

  test('is the tombstone that closes the URL of a completed upload', async () => {
    const { store, record, lines } = recordingOf(1);
    await record(objectOf(1));
    store.tagsByVersion.set('tombstone', 'cancelled');
    expect(await record(objectOf(1, { size: 0, versionId: 'tombstone' }))).toBe('ignored');
    expect(incidentsIn(lines)).toEqual([incident('tombstone', 0)]);
  });
});

test('sequencers are compared as hexadecimal text of one length (S3 User Guide, "Event message structure")', () => {
  for (const [one, other, isBefore] of [
    ['0055AED6DCD90281E5', '0055AED6DCD90281E6', true],
    ['0055AED6DCD90281E6', '0055AED6DCD90281E5', false],
    ['0055AED6DCD90281E5', '0055AED6DCD90281E5', false],
    ['0055AED6', '0055AED6DCD90281E5', true],
    ['0055AED7', '0055AED6DCD90281E5', false],
    ['0055aed6', '0055AED7', true],
    ['0055AED6', '0055AED600', false],
    [undefined, '00', false],
    ['00', undefined, false],
  ] as const) {
    expect([one, other, isEarlier(one, other)]).toEqual([one, other, isBefore]);
  }
});
