import { type Item, type ItemUpdate, updateDeleteAfter, updateToDeleted } from '../../storage/attributes.ts';
import {
  type Content,
  contentOfUpload,
  contentToAttribute,
  type File,
  fileAccessFromItem,
  fileContentFromItem,
  fileFromItem,
  filesTable,
  putNewFile,
  readFileAccessRequest,
  readFileContentRequest,
  readFileRequest,
  updateContent,
  updateFileName,
  updateSyncEnabled,
} from '../../storage/file.ts';
import { useTable } from './support/tables.ts';
import { type WrongItem, withEachOfAnotherType, withoutEach } from './support/wrong-items.ts';

const { put, readItem, update } = await useTable(filesTable);

const created = '2026-01-31T09:00:00.000Z';
const later = '2026-02-01T09:00:00.000Z';

const keyOf = (fileId: string): Item => ({ file_id: { S: fileId } });

const file: File = {
  file_id: 'orders.csv',
  organisation_id: 'acme',
  name: 'Orders',
  sync_enabled: true,
  created_at: created,
  updated_at: created,
};

/** The same file as in docs/stored-items.md. */
const item: Item = {
  file_id: { S: 'orders.csv' },
  organisation_id: { S: 'acme' },
  name: { S: 'Orders' },
  sync_enabled: { BOOL: true },
  created_at: { S: created },
  updated_at: { S: created },
};

/** Content of 5 GiB, a size that exceeds 32 bits. */
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

let fileCount = 0;

/** Stores a file under a new id, and then sets these contents, one after the other. */
async function stored(...uploadIds: readonly string[]): Promise<string> {
  const fileId = `file-of-test-${++fileCount}`;
  await put(putNewFile({ ...file, file_id: fileId }));
  for (const [index, uploadId] of uploadIds.entries()) {
    await update(updateContent(fileId, uploadIds[index - 1], contentOf(uploadId)));
  }
  return fileId;
}

async function read(fileId: string): Promise<File | undefined> {
  const found = await readItem(readFileRequest(fileId));
  return found === undefined ? undefined : fileFromItem(found);
}

/** Checks that a stored file is {@link file} with these changes. */
const expectFile = async (fileId: string, changes: Partial<File> = {}) =>
  expect(await read(fileId)).toEqual({ ...file, file_id: fileId, ...changes });

// Disabling syncing therefore takes effect immediately.
test('a file is read consistently', () => {
  expect(readFileRequest('orders.csv')).toEqual({
    Key: { file_id: { S: 'orders.csv' } },
    ConsistentRead: true,
  });
  expect(readFileAccessRequest('orders.csv').ConsistentRead).toBe(true);
  expect(readFileContentRequest('orders.csv').ConsistentRead).toBe(true);
});

describe('a file', () => {
  test('is stored as documented, without content', async () => {
    expect(await put(putNewFile(file))).toBe(true);
    expect(await readItem(readFileRequest('orders.csv'))).toEqual({
      ...item,
      list_shard: { S: '0' },
    });
    expect(await read('orders.csv')).toEqual(file);
  });

  test('is not stored over another one', async () => {
    const fileId = await stored();
    expect(await put(putNewFile({ ...file, file_id: fileId, name: 'Other' }))).toBe(false);
    expect((await read(fileId))?.name).toBe('Orders');
  });

  test('may have content without a checksum', () => {
    const { checksum_crc64nvme: _, ...older } = contentItem;
    const { checksum_crc64nvme: __, ...olderContent } = contentOf('a');
    expect(fileFromItem({ ...item, content: { M: older } })).toEqual({ ...file, content: olderContent });
    expect(contentToAttribute(contentOfUpload(olderContent))).toEqual({ M: older });
    expect(contentToAttribute(contentOfUpload(contentOf('a')))).toEqual({ M: contentItem });
  });

  const wrongContent: readonly WrongItem[] = [
    ...withoutEach(
      contentItem,
      Object.keys(contentItem).filter((name) => name !== 'checksum_crc64nvme'),
    ).map(
      ([what, content, place]): WrongItem => [
        `${what} of its content`,
        { ...item, content: { M: content } },
        `content.M.${place}`,
      ],
    ),
    [
      'with a size that is text',
      { ...item, content: { M: { ...contentItem, size: { S: '5' } } } },
      'content.M.size.N',
    ],
  ];

  test.for([
    ...withoutEach(item, Object.keys(item)),
    ...withEachOfAnotherType({ ...item, content: { M: contentItem } }),
    ['whose setting is text', { ...item, sync_enabled: { S: 'true' } }, 'sync_enabled'] as const,
    ...wrongContent,
  ])('is rejected %s', ([, wrong, place]) => {
    expect(() => fileFromItem(wrong)).toThrow(`The stored file is not as expected at: ${place}`);
  });

  test('is rejected for its caller without its setting', () => {
    const { sync_enabled: _, ...wrong } = item;
    expect(() => fileAccessFromItem(wrong)).toThrow('not as expected at: sync_enabled');
  });
});

describe('a part of a file', () => {
  test('that decides who may sync is read alone', async () => {
    const found = await readItem(readFileAccessRequest(await stored('a')));
    expect(found).toEqual({ organisation_id: { S: 'acme' }, sync_enabled: { BOOL: true } });
    expect(fileAccessFromItem(found ?? {})).toEqual({ organisation_id: 'acme', sync_enabled: true });
  });

  test('that recording needs is read alone, whether or not there is content', async () => {
    const empty_id = await stored();
    const empty = await readItem(readFileContentRequest(empty_id));
    expect(fileContentFromItem(empty ?? {})).toEqual({ file_id: empty_id });
    const file_id = await stored('x', 'a');
    const found = await readItem(readFileContentRequest(file_id));
    expect(found).toEqual({ file_id: { S: file_id }, content: { M: contentItem } });
    expect(fileContentFromItem(found ?? {})).toEqual({ file_id, content: contentOf('a') });
  });
});

describe('changing a file', () => {
  test('disables and enables syncing, each once', async () => {
    const fileId = await stored();
    const set = (to: boolean) => update(updateSyncEnabled(fileId, to));
    expect(await set(true)).toBe(false);
    await expectFile(fileId);
    expect(await set(false)).toBe(true);
    expect(await set(false)).toBe(false);
    await expectFile(fileId, { sync_enabled: false });
    expect(await set(true)).toBe(true);
    await expectFile(fileId);
  });

  test('replaces its name and nothing else', async () => {
    const fileId = await stored('a');
    expect(await update(updateFileName(fileId, 'New'))).toBe(true);
    await expectFile(fileId, { name: 'New', content: contentOf('a') });
  });

  type Change = readonly [what: string, contents: string[], change: (fileId: string) => ItemUpdate];
  const changes: readonly Change[] = [
    ['syncing', [], (fileId) => updateSyncEnabled(fileId, true)],
    ['a new name', [], (fileId) => updateFileName(fileId, 'New')],
    ['first content', [], (fileId) => updateContent(fileId, undefined, contentOf('b'))],
    ['later content', ['a'], (fileId) => updateContent(fileId, 'a', contentOf('b'))],
  ];

  test.for(changes)('rejects %s for a deleted file', async ([, contents, change]) => {
    const fileId = await stored(...contents);
    await update(updateToDeleted(keyOf(fileId), later));
    const deleted = await read(fileId);

    expect(await update(change(fileId))).toBe(false);
    expect(await read(fileId)).toEqual(deleted);
  });

  test.for<Change>([
    ...changes,
    ['no syncing', [], (fileId) => updateSyncEnabled(fileId, false)],
    ['deletion', [], (fileId) => updateToDeleted(keyOf(fileId), later)],
    ['an end', [], (fileId) => updateDeleteAfter(keyOf(fileId), later)],
  ])('rejects %s for a file that does not exist', async ([, , change]) => {
    expect(await update(change('none'))).toBe(false);
    expect(await readItem(readFileRequest('none'))).toBeUndefined();
  });
});

describe('deleting a file', () => {
  const remove = (fileId: string, at = later) => update(updateToDeleted(keyOf(fileId), at));

  test('is visible to every reader, and keeps its setting', async () => {
    const file_id = await stored('a');

    expect(await remove(file_id)).toBe(true);

    const deleted = { sync_enabled: true, deleted_at: later };
    const content = contentOf('a');
    expect(await read(file_id)).toEqual({ ...file, file_id, content, ...deleted });
    const access = await readItem(readFileAccessRequest(file_id));
    expect(fileAccessFromItem(access ?? {})).toEqual({ organisation_id: 'acme', ...deleted });
    const recorded = await readItem(readFileContentRequest(file_id));
    expect(fileContentFromItem(recorded ?? {})).toEqual({ file_id, content, deleted_at: later });
  });

  test('again keeps the first time', async () => {
    const fileId = await stored();

    await remove(fileId);
    expect(await remove(fileId, '2027-01-01T00:00:00.000Z')).toBe(true);

    expect((await read(fileId))?.deleted_at).toBe(later);
  });

  test('sets its end, which only a deleted file has', async () => {
    const fileId = await stored();
    const end = updateDeleteAfter(keyOf(fileId), later);

    expect(await update(end)).toBe(false);
    await remove(fileId);
    expect(await update(end)).toBe(true);

    expect((await readItem(readFileRequest(fileId)))?.delete_after).toEqual({ N: '1769936400' });
    expect((await read(fileId))?.delete_after).toBe(later);
  });
});

describe('new content of a file', () => {
  test('is the first only while there is none', async () => {
    const fileId = await stored('a');
    expect(await update(updateContent(fileId, undefined, contentOf('b')))).toBe(false);
    await expectFile(fileId, { content: contentOf('a') });
  });

  test('replaces the content that was read', async () => {
    const fileId = await stored('b');
    expect(await update(updateContent(fileId, 'a', contentOf('c')))).toBe(false);
    expect(await update(updateContent(fileId, 'b', contentOf('c')))).toBe(true);
    await expectFile(fileId, { content: contentOf('c') });
  });
});
