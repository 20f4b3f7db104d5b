import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { daysAfter, type ItemUpdate, timeToLive } from '../../storage/attributes.ts';
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
import { timeToLiveName } from '../../storage/table.ts';
import {
  putIssued,
  readUpload,
  updateToCompleted,
  updateToDeletedUpload,
  updateToSuperseded,
  uploadFromItem,
} from '../../storage/upload.ts';
import { dueAttributes } from '../../storage/upload-due.ts';
import { startTables, type Tables } from './support/tables.ts';

let tables: Tables;
beforeAll(async () => {
  tables = await startTables();
});
afterAll(() => tables.stop());

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

describe('the time to live of an item', () => {
  test('is in seconds, rounded up so that nothing goes early', () => {
    expect(timeToLive('2026-01-31T09:00:00.000Z')).toEqual({ N: '1769850000' });
    expect(timeToLive('2026-01-31T09:00:00.001Z')).toEqual({ N: '1769850001' });
    expect(timeToLive('2026-01-31T09:00:00.999Z')).toEqual({ N: '1769850001' });
  });

  test('is some days of 24 hours after a time', () => {
    expect(daysAfter('2026-01-31T09:00:00.123Z', 30)).toBe('2026-03-02T09:00:00.123Z');
    expect(daysAfter(created, 0)).toBe(created);
  });

  test('is in the attribute that DynamoDB is told to look at', () => {
    expect(timeToLiveName).toBe('delete_after');
    const { Item = {} } = putIssued({ ...upload, upload_id: 'a' }, end);
    expect(Item[timeToLiveName]).toEqual(endInSeconds);
  });
});

const file = {
  organisation_id: 'acme',
  name: 'Orders',
  sync_enabled: true,
  created_at: created,
  updated_at: created,
};

async function storedFile(...changes: readonly ((fileId: string) => ItemUpdate)[]): Promise<string> {
  const file_id = newId();
  await tables.files.put(putNewFile({ ...file, file_id }));
  for (const change of changes) {
    expect(await tables.files.update(change(file_id))).toBe(true);
  }
  return file_id;
}

const deleteFile = (fileId: string) => updateToDeletedFile(fileId, deletedAt);

describe('a deleted file', () => {
  test('says so to everyone who reads it, and syncs no more', async () => {
    const file_id = await storedFile(deleteFile);
    const deleted = { sync_enabled: false, deleted_at: deletedAt };
    const whole = await tables.files.read(readFile(file_id));
    expect(fileFromItem(whole ?? {})).toEqual({ ...file, file_id, ...deleted });
    const access = await tables.files.read(readFileAccess(file_id));
    expect(fileAccessFromItem(access ?? {})).toEqual({ organisation_id: 'acme', ...deleted });
    const content = await tables.files.read(readFileContent(file_id));
    expect(fileContentFromItem(content ?? {})).toEqual({ deleted_at: deletedAt });
  });

  test('keeps its first time when it is deleted again, and its content', async () => {
    const file_id = await storedFile(
      (id) => updateContent(id, undefined, contentOf('a')),
      deleteFile,
      (id) => updateToDeletedFile(id, later),
    );
    const item = await tables.files.read(readFile(file_id));
    expect(fileFromItem(item ?? {})).toMatchObject({ deleted_at: deletedAt, content: contentOf('a') });
  });

  test.each<[string, (fileId: string) => ItemUpdate]>([
    ['be enabled', (id) => updateSyncEnabled(id, true, later)],
    ['get a name', (id) => updateFileName(id, 'New', later)],
    ['get its first content', (id) => updateContent(id, undefined, contentOf('a'))],
  ])('cannot %s', async (_, change) => {
    const file_id = await storedFile(deleteFile);
    const before = await tables.files.read(readFile(file_id));
    expect(await tables.files.update(change(file_id))).toBe(false);
    expect(await tables.files.read(readFile(file_id))).toEqual(before);
  });

  test('gets no later content either', async () => {
    const file_id = await storedFile((id) => updateContent(id, undefined, contentOf('a')), deleteFile);
    expect(await tables.files.update(updateContent(file_id, 'a', contentOf('b')))).toBe(false);
  });

  test('ends at a time, which only a deleted file has', async () => {
    const file_id = await storedFile();
    expect(await tables.files.update(updateFileDeleteAfter(file_id, end))).toBe(false);
    await tables.files.update(deleteFile(file_id));
    expect(await tables.files.update(updateFileDeleteAfter(file_id, end))).toBe(true);
    const item = await tables.files.read(readFile(file_id));
    expect(item?.delete_after).toEqual(endInSeconds);
    expect(fileFromItem(item ?? {}).delete_after).toBe(end);
  });

  test('is not made by deleting one that does not exist', async () => {
    expect(await tables.files.update(deleteFile('none'))).toBe(false);
    expect(await tables.files.update(updateFileDeleteAfter('none', end))).toBe(false);
    expect(await tables.files.read(readFile('none'))).toBeUndefined();
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

async function storedClient(...changes: readonly ((clientId: string) => ItemUpdate)[]): Promise<string> {
  const client_id = newId();
  await tables.clients.put(putNewClient({ ...client, client_id }));
  for (const change of changes) {
    expect(await tables.clients.update(change(client_id))).toBe(true);
  }
  return client_id;
}

async function readStoredClient(clientId: string) {
  return clientFromItem((await tables.clients.read(readClient(clientId))) ?? {});
}

const deleteClient = (clientId: string) => updateToDeletedClient(clientId, deletedAt);

describe('a deleted client', () => {
  test('is revoked and has no secret, and gets no token', async () => {
    const client_id = await storedClient(deleteClient);
    const times = { revoked_at: deletedAt, deleted_at: deletedAt };
    expect(await readStoredClient(client_id)).toEqual({
      ...client,
      client_id,
      status: 'revoked',
      secrets: [],
      ...times,
    });
    const read = await tables.clients.read(readClientAuthentication(client_id));
    expect(clientAuthenticationFromItem(read ?? {})).toMatchObject({ status: 'revoked', secrets: [] });
  });

  test('keeps its first times when it was revoked before, and when it is deleted again', async () => {
    const client_id = await storedClient(
      (id) => updateToRevoked(id, created),
      deleteClient,
      (id) => updateToDeletedClient(id, later),
    );
    expect(await readStoredClient(client_id)).toMatchObject({ revoked_at: created, deleted_at: deletedAt });
  });

  test.each<[string, (clientId: string) => ItemUpdate]>([
    ['be activated', updateToActive],
    ['get scopes', (id) => updateScopes(id, ['sync:create'])],
    ['get a name', (id) => updateClientName(id, 'New')],
    ['get a secret', (client_id) => updateSecrets({ ...client, client_id, secrets: [] }, [secret])],
  ])('cannot %s', async (_, change) => {
    const client_id = await storedClient(deleteClient);
    const before = await readStoredClient(client_id);
    expect(await tables.clients.update(change(client_id))).toBe(false);
    expect(await readStoredClient(client_id)).toEqual(before);
  });

  test('ends at a time, which only a deleted client has', async () => {
    const client_id = await storedClient();
    expect(await tables.clients.update(updateClientDeleteAfter(client_id, end))).toBe(false);
    await tables.clients.update(deleteClient(client_id));
    expect(await tables.clients.update(updateClientDeleteAfter(client_id, end))).toBe(true);
    expect((await tables.clients.read(readClient(client_id)))?.delete_after).toEqual(endInSeconds);
    expect((await readStoredClient(client_id)).delete_after).toBe(end);
  });

  test('is not made by deleting one that does not exist', async () => {
    expect(await tables.clients.update(deleteClient('none'))).toBe(false);
    expect(await tables.clients.update(updateClientDeleteAfter('none', end))).toBe(false);
    expect(await tables.clients.read(readClient('none'))).toBeUndefined();
  });
});

const upload = {
  file_id: 'orders.csv',
  organisation_id: 'acme',
  client_id: 'client_1',
  key: 'uploads/a',
  issued_at: created,
  expires_at: created,
};

async function storedUpload(deleteAfter?: string): Promise<string> {
  const upload_id = newId();
  await tables.uploads.put(putIssued({ ...upload, upload_id }, deleteAfter));
  return upload_id;
}

async function readStoredUpload(uploadId: string) {
  return uploadFromItem((await tables.uploads.read(readUpload(uploadId))) ?? {});
}

const deleteUpload = (uploadId: string) => updateToDeletedUpload(uploadId, deletedAt, end);

describe('the record of an upload', () => {
  test('of a deleted file counts as superseded, and ends at a time', async () => {
    const upload_id = await storedUpload();
    expect(await tables.uploads.update(deleteUpload(upload_id))).toBe(true);
    expect(await readStoredUpload(upload_id)).toEqual({
      ...upload,
      upload_id,
      ...dueAttributes(upload_id, created),
      state: 'issued',
      superseded_at: deletedAt,
      deleted_at: deletedAt,
      delete_after: end,
    });
    expect((await tables.uploads.read(readUpload(upload_id)))?.delete_after).toEqual(endInSeconds);
  });

  test('of a deleted file keeps its first times', async () => {
    const upload_id = await storedUpload(later);
    await tables.uploads.update(updateToSuperseded(upload_id, created));
    expect(await tables.uploads.update(deleteUpload(upload_id))).toBe(true);
    expect(await tables.uploads.update(updateToDeletedUpload(upload_id, later, end))).toBe(true);
    expect(await readStoredUpload(upload_id)).toMatchObject({
      superseded_at: created,
      deleted_at: deletedAt,
      delete_after: end,
    });
  });

  test('is not made by deleting one that does not exist', async () => {
    expect(await tables.uploads.update(deleteUpload('none'))).toBe(false);
    expect(await tables.uploads.read(readUpload('none'))).toBeUndefined();
  });

  test('of a limited time ends with that, unless it becomes content', async () => {
    const upload_id = await storedUpload(end);
    expect((await readStoredUpload(upload_id)).delete_after).toBe(end);
    const { upload_id: _id, key: _key, ...completion } = contentOf('a');
    expect(await tables.uploads.update(updateToCompleted(upload_id, completion))).toBe(true);
    expect(await readStoredUpload(upload_id)).not.toHaveProperty('delete_after');
    expect(await tables.uploads.update(updateToSuperseded(upload_id, deletedAt, end))).toBe(true);
    expect(await readStoredUpload(upload_id)).toMatchObject({ superseded_at: deletedAt, delete_after: end });
  });

  test('without a limit has no end', async () => {
    const upload_id = await storedUpload();
    expect(await tables.uploads.read(readUpload(upload_id))).not.toHaveProperty('delete_after');
  });
});
