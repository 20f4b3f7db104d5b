import { describe, expect, test } from 'vitest';
import type { Item } from '../../storage/attributes.ts';
import {
  type Content,
  contentOfUpload,
  contentToAttribute,
  type File,
  fileAccessFromItem,
  fileContentFromItem,
  fileFromItem,
  putNewFile,
  readFile,
  readFileAccess,
  readFileContent,
  updateContent,
  updateFileName,
  updateSyncEnabled,
} from '../../storage/file.ts';
import { useTables } from './support/tables.ts';
import { notRefused, type WrongItem, withEachOfAnotherType, withoutEach } from './support/wrong-items.ts';

const tables = await useTables();

const created = '2026-01-31T09:00:00.000Z';
const later = '2026-02-01T09:00:00.000Z';

const file: File = {
  file_id: 'orders.csv',
  organisation_id: 'acme',
  name: 'Orders',
  sync_enabled: true,
  created_at: created,
  updated_at: created,
};

/** The same file as storage/README.md says. */
const item: Item = {
  file_id: { S: 'orders.csv' },
  organisation_id: { S: 'acme' },
  name: { S: 'Orders' },
  sync_enabled: { BOOL: true },
  created_at: { S: created },
  updated_at: { S: created },
};

/** Content of 5 GiB, which no number of 32 bits holds. */
const contentOf = (uploadId: string): Content => ({
  upload_id: uploadId,
  key: `uploads/${uploadId}`,
  version_id: `version of ${uploadId}`,
  size: 5_368_709_120,
  etag: `etag of ${uploadId}`,
  checksum_crc64nvme: '1BGd19PD4OU=',
  completed_at: later,
});

const contentItem = {
  upload_id: { S: 'a' },
  key: { S: 'uploads/a' },
  version_id: { S: 'version of a' },
  size: { N: '5368709120' },
  etag: { S: 'etag of a' },
  checksum_crc64nvme: { S: '1BGd19PD4OU=' },
  completed_at: { S: later },
} satisfies Item;

/** Attributes that content needs. S3 may have no checksum. */
const requiredContent = Object.keys(contentItem).filter((name) => name !== 'checksum_crc64nvme');

let fileCount = 0;

/** Stores the file under an id of its own, and then gives it these contents, one after the other. */
async function stored(...uploadIds: readonly string[]): Promise<string> {
  const fileId = `file-of-test-${++fileCount}`;
  await tables.files.put(putNewFile({ ...file, file_id: fileId }));
  for (const [index, uploadId] of uploadIds.entries()) {
    await tables.files.update(updateContent(fileId, uploadIds[index - 1], contentOf(uploadId)));
  }
  return fileId;
}

async function read(fileId: string): Promise<File | undefined> {
  const found = await tables.files.read(readFile(fileId));
  return found === undefined ? undefined : fileFromItem(found);
}

test('a file is read consistently, so that disabling it holds from then on', () => {
  expect(readFile('orders.csv')).toEqual({ Key: { file_id: { S: 'orders.csv' } }, ConsistentRead: true });
  expect(readFileAccess('orders.csv').ConsistentRead).toBe(true);
  expect(readFileContent('orders.csv').ConsistentRead).toBe(true);
});

describe('a file', () => {
  test('is stored as documented, without content', async () => {
    expect(await tables.files.put(putNewFile(file))).toBe(true);
    expect(await tables.files.read(readFile('orders.csv'))).toEqual(item);
    expect(await read('orders.csv')).toEqual(file);
  });

  test('is not stored over another one', async () => {
    const fileId = await stored();
    expect(await tables.files.put(putNewFile({ ...file, file_id: fileId, name: 'Other' }))).toBe(false);
    expect((await read(fileId))?.name).toBe('Orders');
  });

  test('may have content without a checksum', () => {
    const { checksum_crc64nvme: _, ...older } = contentItem;
    const { checksum_crc64nvme: __, ...olderContent } = contentOf('a');
    expect(fileFromItem({ ...item, content: { M: older } })).toEqual({ ...file, content: olderContent });
    expect(contentToAttribute(contentOfUpload(olderContent))).toEqual({ M: older });
    expect(contentToAttribute(contentOfUpload(contentOf('a')))).toEqual({ M: contentItem });
  });

  test('is refused when anything in it is wrong, and the place named; by the recorder, too', () => {
    const wrongContent: readonly WrongItem[] = [
      ...withoutEach(contentItem, requiredContent).map(
        ([what, wrong, place]): WrongItem => [
          `${what} of its content`,
          { ...item, content: { M: wrong } },
          place,
        ],
      ),
      [
        'with a size that is text',
        { ...item, content: { M: { ...contentItem, size: { S: '5' } } } },
        'content.M.size.N',
      ],
      [
        'with a replaced upload that is not text',
        { ...item, superseded: { L: [{ N: '1' }] } },
        'superseded.L.0.S',
      ],
    ];
    const wrong: readonly WrongItem[] = [
      ...withoutEach(item, Object.keys(item)),
      ...withEachOfAnotherType({ ...item, content: { M: contentItem }, superseded: { L: [] } }),
      ['whose setting is text', { ...item, sync_enabled: { S: 'true' } }, 'sync_enabled'],
      ...wrongContent,
    ];
    expect(notRefused(wrong, fileFromItem)).toEqual([]);
    expect(notRefused(wrongContent, fileContentFromItem)).toEqual([]);
    expect(notRefused(withoutEach(item, ['organisation_id', 'sync_enabled']), fileAccessFromItem)).toEqual(
      [],
    );
  });
});

describe('a part of a file', () => {
  test('that decides who may sync is read alone', async () => {
    const found = await tables.files.read(readFileAccess(await stored('a')));
    expect(found).toEqual({ organisation_id: { S: 'acme' }, sync_enabled: { BOOL: true } });
    expect(fileAccessFromItem(found ?? {})).toEqual({ organisation_id: 'acme', sync_enabled: true });
  });

  test('that recording needs is read alone, whether or not there is content', async () => {
    const empty_id = await stored();
    const empty = await tables.files.read(readFileContent(empty_id));
    expect(fileContentFromItem(empty ?? {})).toEqual({ file_id: empty_id });
    const file_id = await stored('x', 'a');
    const found = await tables.files.read(readFileContent(file_id));
    expect(found).toEqual({ file_id: { S: file_id }, content: { M: contentItem } });
    const older = { ...found, superseded: { L: [{ S: 'x' }] } };
    expect(fileContentFromItem(older)).toEqual({ file_id, content: contentOf('a'), superseded: ['x'] });
  });
});

describe('changing a file', () => {
  test('disables and enables syncing, each once', async () => {
    const fileId = await stored();
    const set = (to: boolean) => tables.files.update(updateSyncEnabled(fileId, to));
    expect(await set(true)).toBe(false);
    expect(await read(fileId)).toEqual({ ...file, file_id: fileId });
    expect(await set(false)).toBe(true);
    expect(await set(false)).toBe(false);
    expect(await read(fileId)).toEqual({ ...file, file_id: fileId, sync_enabled: false });
    expect(await set(true)).toBe(true);
    expect(await read(fileId)).toEqual({ ...file, file_id: fileId });
  });

  test('replaces its name and nothing else', async () => {
    const fileId = await stored('a');
    expect(await tables.files.update(updateFileName(fileId, 'New'))).toBe(true);
    expect(await read(fileId)).toEqual({
      ...file,
      file_id: fileId,
      name: 'New',
      content: contentOf('a'),
    });
  });

  test('that does not exist is refused, and does not make it', async () => {
    for (const update of [
      updateSyncEnabled('none', true),
      updateSyncEnabled('none', false),
      updateFileName('none', 'New'),
      updateContent('none', undefined, contentOf('a')),
      updateContent('none', 'a', contentOf('b')),
    ]) {
      expect(await tables.files.update(update)).toBe(false);
    }
    expect(await tables.files.read(readFile('none'))).toBeUndefined();
  });
});

describe('new content of a file', () => {
  test('is the first only while there is none, and a later one only when there is one', async () => {
    const [full, empty] = [await stored('a'), await stored()];
    expect(await tables.files.update(updateContent(full, undefined, contentOf('b')))).toBe(false);
    expect(await read(full)).toEqual({ ...file, file_id: full, content: contentOf('a') });
    expect(await tables.files.update(updateContent(empty, 'a', contentOf('b')))).toBe(false);
    expect(await read(empty)).toEqual({ ...file, file_id: empty });
  });

  test('replaces only the content that was read, and empties the list that older versions left', async () => {
    const fileId = await stored('a', 'b');
    await tables.files.update({
      Key: { file_id: { S: fileId } },
      UpdateExpression: 'SET superseded = :list',
      ExpressionAttributeValues: { ':list': { L: [{ S: 'a' }] } },
    });
    expect(await tables.files.update(updateContent(fileId, 'a', contentOf('c')))).toBe(false);
    expect((await read(fileId))?.superseded).toEqual(['a']);
    expect(await tables.files.update(updateContent(fileId, 'b', contentOf('c')))).toBe(true);
    expect(await read(fileId)).toEqual({ ...file, file_id: fileId, content: contentOf('c') });
  });
});
