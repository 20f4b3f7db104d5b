import { describe, expect, test } from 'vitest';
import type { ItemUpdate } from '../../storage/attributes.ts';
import {
  clientAuthenticationFromItem,
  clientFromItem,
  putNewClient,
  readClient,
  readClientAuthentication,
  updateClientDeleteAfter,
  updateClientName,
  updateScopes,
  updateSecrets,
  updateToActive,
  updateToDeletedClient,
  updateToRevoked,
} from '../../storage/client.ts';
import {
  type Content,
  fileAccessFromItem,
  fileContentFromItem,
  fileFromItem,
  putNewFile,
  readFile,
  readFileAccess,
  readFileContent,
  updateContent,
  updateFileDeleteAfter,
  updateFileName,
  updateSyncEnabled,
  updateToDeletedFile,
} from '../../storage/file.ts';
import {
  putIssued,
  readUpload,
  updateToCompleted,
  updateToDeletedUpload,
  updateToSuperseded,
  uploadFromItem,
} from '../../storage/upload.ts';
import { updateToContentDeleted } from '../../storage/upload-due.ts';
import { useTables } from './support/tables.ts';

const tables = await useTables();

const created = '2026-01-31T09:00:00.000Z';
const deletedAt = '2026-02-01T09:00:00.000Z';
const later = '2026-03-01T09:00:00.000Z';
const end = '2026-05-01T09:00:00.000Z';
const endInSeconds = { N: String(Date.parse(end) / 1000) };

let count = 0;
const newId = () => `deletion-${++count}`;

const contentOf = (upload_id: string): Content => ({
  upload_id,
  key: `uploads/${upload_id}`,
  version_id: 'v1',
  size: 1,
  etag: 'etag',
  completed_at: created,
});

const file = {
  organisation_id: 'acme',
  name: 'Orders',
  sync_enabled: true,
  created_at: created,
  updated_at: created,
};

describe('a deleted file', () => {
  const change = (update: ItemUpdate) => tables.files.update(update);
  const readItem = async (id: string) => (await tables.files.read(readFile(id))) ?? {};

  async function storedFile(): Promise<string> {
    const file_id = newId();
    await tables.files.put(putNewFile({ ...file, file_id }));
    return file_id;
  }

  test('says so to everyone who reads it, and syncs no more', async () => {
    const file_id = await storedFile();
    expect(await change(updateToDeletedFile(file_id, deletedAt))).toBe(true);
    const deleted = { sync_enabled: false, deleted_at: deletedAt };
    expect(fileFromItem(await readItem(file_id))).toEqual({ ...file, file_id, ...deleted });
    const access = await tables.files.read(readFileAccess(file_id));
    expect(fileAccessFromItem(access ?? {})).toEqual({ organisation_id: 'acme', ...deleted });
    const content = await tables.files.read(readFileContent(file_id));
    expect(fileContentFromItem(content ?? {})).toEqual({ file_id, deleted_at: deletedAt });
  });

  test('cannot be changed, and keeps its first time and its content', async () => {
    const [empty, full] = [await storedFile(), await storedFile()];
    await change(updateContent(full, undefined, contentOf('a')));
    for (const id of [empty, full]) {
      expect(await change(updateToDeletedFile(id, deletedAt))).toBe(true);
      expect(await change(updateToDeletedFile(id, later))).toBe(true);
    }
    expect(await change(updateSyncEnabled(empty, true))).toBe(false);
    expect(await change(updateFileName(empty, 'New'))).toBe(false);
    expect(await change(updateContent(empty, undefined, contentOf('a')))).toBe(false);
    expect(await change(updateContent(full, 'a', contentOf('b')))).toBe(false);
    const deleted = { ...file, sync_enabled: false, deleted_at: deletedAt };
    expect(fileFromItem(await readItem(empty))).toEqual({ ...deleted, file_id: empty });
    expect(fileFromItem(await readItem(full))).toEqual({
      ...deleted,
      file_id: full,
      content: contentOf('a'),
    });
  });

  test('ends at a time, which only a deleted file has', async () => {
    const file_id = await storedFile();
    expect(await change(updateFileDeleteAfter(file_id, end))).toBe(false);
    await change(updateToDeletedFile(file_id, deletedAt));
    expect(await change(updateFileDeleteAfter(file_id, end))).toBe(true);
    const item = await readItem(file_id);
    expect(item.delete_after).toEqual(endInSeconds);
    expect(fileFromItem(item).delete_after).toBe(end);
  });
});

const secret = { secret_id: 'secret_1', sha256: '0123456789abcdef'.repeat(4), created_at: created };
const client = {
  organisation_id: 'acme',
  name: 'Acme orders',
  scopes: ['volume:read'],
  status: 'active' as const,
  secrets: [secret],
  created_at: created,
};

describe('a deleted client', () => {
  const change = (update: ItemUpdate) => tables.clients.update(update);
  const readItem = async (id: string) => (await tables.clients.read(readClient(id))) ?? {};

  async function storedClient(): Promise<string> {
    const client_id = newId();
    await tables.clients.put(putNewClient({ ...client, client_id }));
    return client_id;
  }

  test('is revoked and has no secret, gets no token, and cannot be changed', async () => {
    const client_id = await storedClient();
    expect(await change(updateToDeletedClient(client_id, deletedAt))).toBe(true);
    expect(await change(updateToActive(client_id))).toBe(false);
    expect(await change(updateScopes(client_id, ['sync:create']))).toBe(false);
    expect(await change(updateClientName(client_id, 'New'))).toBe(false);
    expect(await change(updateSecrets({ ...client, client_id, secrets: [] }, [secret]))).toBe(false);
    const gone = { status: 'revoked', secrets: [] };
    const times = { revoked_at: deletedAt, deleted_at: deletedAt };
    expect(clientFromItem(await readItem(client_id))).toEqual({ ...client, client_id, ...gone, ...times });
    const read = await tables.clients.read(readClientAuthentication(client_id));
    expect(clientAuthenticationFromItem(read ?? {})).toMatchObject(gone);
  });

  test('keeps its first times when it was revoked before, and when it is deleted again', async () => {
    const client_id = await storedClient();
    await change(updateToRevoked(client_id, created));
    await change(updateToDeletedClient(client_id, deletedAt));
    expect(await change(updateToDeletedClient(client_id, later))).toBe(true);
    const times = { revoked_at: created, deleted_at: deletedAt };
    expect(clientFromItem(await readItem(client_id))).toMatchObject(times);
  });

  test('ends at a time, which only a deleted client has', async () => {
    const client_id = await storedClient();
    expect(await change(updateClientDeleteAfter(client_id, end))).toBe(false);
    await change(updateToDeletedClient(client_id, deletedAt));
    expect(await change(updateClientDeleteAfter(client_id, end))).toBe(true);
    const item = await readItem(client_id);
    expect(item.delete_after).toEqual(endInSeconds);
    expect(clientFromItem(item).delete_after).toBe(end);
  });
});

describe('the record of an upload', () => {
  const change = (update: ItemUpdate) => tables.uploads.update(update);
  const read = async (id: string) => uploadFromItem((await tables.uploads.read(readUpload(id))) ?? {});

  async function storedUpload(deleteAfter?: string): Promise<string> {
    const upload_id = `019c1347-d280-7000-8f43-${String(++count).padStart(12, '0')}`;
    const owner = { file_id: 'orders.csv', organisation_id: 'acme', client_id: 'client_1' };
    const upload = { upload_id, ...owner, key: 'uploads/a', issued_at: created, expires_at: created };
    await tables.uploads.put(putIssued(upload, deleteAfter));
    return upload_id;
  }

  test('of a deleted file counts as superseded, ends at a time, and keeps its first times', async () => {
    const fresh = await storedUpload();
    expect(await change(updateToDeletedUpload(fresh, deletedAt, end))).toBe(true);
    const ends = { state: 'issued', deleted_at: deletedAt, delete_after: end };
    expect(await read(fresh)).toMatchObject({ ...ends, superseded_at: deletedAt });
    const superseded = await storedUpload(later);
    await change(updateToSuperseded(superseded, created));
    expect(await change(updateToDeletedUpload(superseded, deletedAt, end))).toBe(true);
    expect(await change(updateToDeletedUpload(superseded, later, end))).toBe(true);
    expect(await read(superseded)).toMatchObject({ ...ends, superseded_at: created });
  });

  test('of a limited time ends with that, unless it becomes content', async () => {
    const upload_id = await storedUpload(end);
    expect((await tables.uploads.read(readUpload(upload_id)))?.delete_after).toEqual(endInSeconds);
    const { upload_id: _id, key: _key, ...completion } = contentOf('a');
    expect(await change(updateToCompleted(upload_id, completion))).toBe(true);
    expect(await read(upload_id)).not.toHaveProperty('delete_after');
    const replacedAt = '2026-03-01T09:00:00.000Z';
    expect(await change(updateToSuperseded(upload_id, replacedAt))).toBe(true);
    const found = { upload_id, due_at: replacedAt };
    expect(await change(updateToContentDeleted(found, { delete_after: end }))).toBe(true);
    expect(await read(upload_id)).toMatchObject({ superseded_at: replacedAt, delete_after: end });
    expect(await read(await storedUpload())).not.toHaveProperty('delete_after');
  });
});

test('nothing is made by deleting what does not exist', async () => {
  expect(await tables.files.update(updateToDeletedFile('none', deletedAt))).toBe(false);
  expect(await tables.files.update(updateFileDeleteAfter('none', end))).toBe(false);
  expect(await tables.files.read(readFile('none'))).toBeUndefined();
  expect(await tables.clients.update(updateToDeletedClient('none', deletedAt))).toBe(false);
  expect(await tables.clients.update(updateClientDeleteAfter('none', end))).toBe(false);
  expect(await tables.clients.read(readClient('none'))).toBeUndefined();
  expect(await tables.uploads.update(updateToDeletedUpload('none', deletedAt, end))).toBe(false);
  expect(await tables.uploads.read(readUpload('none'))).toBeUndefined();
});
