import { createHash } from 'node:crypto';
import { newIdentifier } from '../../contract/identifiers.ts';
import { type Item, type ItemPut, type ItemUpdate, timestamp } from '../../storage/attributes.ts';
import {
  clientFromItem,
  putNewClient,
  readClient,
  type StoredClient,
  updateClientDeleteAfter,
  updateSecrets,
  updateToDeletedClient,
  updateToRevoked,
} from '../../storage/client.ts';
import { newClientSecret } from '../../storage/client-secret.ts';
import {
  putNewFile,
  readFile,
  updateContent,
  updateFileDeleteAfter,
  updateSyncEnabled,
  updateToDeletedFile,
} from '../../storage/file.ts';
import { objectKeyOf } from '../../storage/object-key.ts';
import { tombstoneObject } from '../../storage/tombstone.ts';
import {
  putIssued,
  readUpload,
  updateToCancelled,
  updateToCompleted,
  updateToDeletedUpload,
  updateToSuperseded,
} from '../../storage/upload.ts';
import { updateToCancelledAndSettled, updateToExpired } from '../../storage/upload-due.ts';
import { createUuidV7 } from '../../storage/uuid-v7.ts';
import { startTables, type Tables } from '../../test/storage/support/tables.ts';
import { recordSecrets } from './record-secrets.ts';
import type { Recorded, RecordedFile } from './stored-items.ts';

/**
 * What this version stores: one item for each state, as the writers of `storage/` and the rotation write it. The clock
 * and the ids are fixed, so that a version always records the same.
 */
export async function recordItems(): Promise<Readonly<Record<RecordedFile, Recorded>>> {
  const tables = await startTables();
  try {
    const made = createMaker();
    return {
      'clients.json': await recordClients(tables, made),
      'files.json': await recordFiles(tables, made),
      'uploads.json': await recordUploads(tables, made),
      'tombstones.json': recordTombstones(made),
      ...(await recordSecrets()),
    };
  } finally {
    await tables.stop();
  }
}

/** Ids, times and bytes that look like real ones, and differ from each other. */
interface Maker {
  readonly randomBytes: (size: number) => Uint8Array;
  /** A minute later than the time before. */
  readonly time: () => string;
  readonly uploadId: () => string;
}

function createMaker(): Maker {
  let minutes = 0;
  let count = 0;
  const start = Date.UTC(2026, 0, 31, 9);
  const now = () => start + minutes * 60_000;
  // Digests of a counter: not secret, and the same each time.
  const randomBytes = (size: number) =>
    createHash('shake256', { outputLength: size }).update(`recorded ${++count}`).digest();
  return {
    randomBytes,
    time: () => {
      minutes += 1;
      return timestamp(new Date(now()));
    },
    uploadId: createUuidV7(now, randomBytes),
  };
}

async function recordClients({ clients }: Tables, made: Maker): Promise<Recorded> {
  const create = async (scopes: string[]): Promise<StoredClient> => {
    const created_at = made.time();
    const client: StoredClient = {
      client_id: newIdentifier('client', made.randomBytes),
      organisation_id: 'acme',
      name: 'Acme orders, the new till',
      scopes,
      status: 'active',
      secrets: [newClientSecret(created_at, made.randomBytes).stored],
      created_at,
    };
    await required(clients.put(putNewClient(client)));
    return client;
  };
  const read = async ({ client_id }: StoredClient) => present(await clients.read(readClient(client_id)));
  const change = (update: ItemUpdate) => required(clients.update(update));

  const plain = await create(['volume:read', 'sync:create']);
  const rotated = await create(['volume:read']);
  const [first] = rotated.secrets;
  const second = newClientSecret(made.time(), made.randomBytes).stored;
  await change(updateSecrets(rotated, first ? [{ ...first, ends_at: made.time() }, second] : [second]));
  const revoked = await create(['sync:create']);
  await change(updateToRevoked(revoked.client_id, made.time()));
  const without = await create(['sync:create']);
  await change(updateSecrets(clientFromItem(await read(without)), []));
  const marked = await create(['sync:create']);
  await change(updateToDeletedClient(marked.client_id, made.time()));
  const deleted = await create(['sync:create']);
  await change(updateToDeletedClient(deleted.client_id, made.time()));
  await change(updateClientDeleteAfter(deleted.client_id, made.time()));
  return {
    active: await read(plain),
    'with two secrets, of which one ends': await read(rotated),
    revoked: await read(revoked),
    'without secrets': await read(without),
    'while it is deleted': await read(marked),
    deleted: await read(deleted),
  };
}

async function recordFiles({ files }: Tables, made: Maker): Promise<Recorded> {
  const create = async () => {
    const created_at = made.time();
    const file_id = newIdentifier('file', made.randomBytes);
    const file = {
      file_id,
      organisation_id: 'acme',
      name: 'Orders, daily.csv',
      sync_enabled: true,
      created_at,
    };
    await required(files.put(putNewFile({ ...file, updated_at: created_at })));
    return file_id;
  };
  const fill = async (fileId: string, replaced?: string) => {
    const uploadId = made.uploadId();
    const content = { upload_id: uploadId, key: objectKeyOf(uploadId), ...completion(made) };
    await required(files.update(updateContent(fileId, replaced, content)));
    return uploadId;
  };
  const read = async (fileId: string) => present(await files.read(readFile(fileId)));

  const empty = await create();
  const disabled = await create();
  await required(files.update(updateSyncEnabled(disabled, false, made.time())));
  const filled = await create();
  await fill(filled);
  const replaced = await create();
  await fill(replaced, await fill(replaced));
  const deleted = await create();
  await fill(deleted);
  await required(files.update(updateToDeletedFile(deleted, made.time())));
  const marked = await read(deleted);
  await required(files.update(updateFileDeleteAfter(deleted, made.time())));
  return {
    'without content': await read(empty),
    'with syncing disabled': await read(disabled),
    'with content': await read(filled),
    'with content that was replaced, before the tombstone': await read(replaced),
    'while it is deleted': marked,
    deleted: await read(deleted),
  };
}

async function recordUploads({ uploads }: Tables, made: Maker): Promise<Recorded> {
  const issue = async (
    ...changes: readonly ((uploadId: string, dueAt: string) => ItemUpdate)[]
  ): Promise<Item> => {
    const issued_at = made.time();
    const upload_id = made.uploadId();
    const put: ItemPut = putIssued({
      upload_id,
      file_id: newIdentifier('file', made.randomBytes),
      organisation_id: 'acme',
      client_id: newIdentifier('client', made.randomBytes),
      key: objectKeyOf(upload_id),
      issued_at,
      expires_at: made.time(),
      request_id: Buffer.from(made.randomBytes(12)).toString('base64url'),
    });
    await required(uploads.put(put));
    for (const change of changes) {
      await required(uploads.update(change(upload_id, put.Item?.due_at?.S ?? '')));
    }
    return present(await uploads.read(readUpload(upload_id)));
  };
  const complete = (id: string) => updateToCompleted(id, completion(made));
  const cancel = (id: string) => updateToCancelled(id, made.time());
  const supersede = (id: string) => updateToSuperseded(id, made.time());
  const supersedeWithEnd = (id: string) => updateToSuperseded(id, made.time(), made.time());
  const cancelAndSettle = (id: string) => updateToCancelledAndSettled(id, made.time());
  const expire = (id: string, due_at: string) =>
    updateToExpired({ upload_id: id, due_at }, made.time(), made.time());
  const expireAndSettle = (id: string, due_at: string) =>
    updateToExpired({ upload_id: id, due_at }, made.time(), undefined);
  const completeOpen = (id: string) => updateToCompleted(id, completion(made), 'open');
  const remove = (id: string) => updateToDeletedUpload(id, made.time(), made.time());
  return {
    issued: await issue(),
    completed: await issue(complete),
    cancelled: await issue(cancel),
    'completed and superseded': await issue(complete, supersede),
    'superseded before it was completed': await issue(supersede),
    'cancelled and superseded': await issue(cancel, supersede),
    'completed and superseded, with an end': await issue(complete, supersedeWithEnd),
    deleted: await issue(cancel, remove),
    'expired, and due once more': await issue(expire),
    'expired and settled': await issue(expireAndSettle),
    'completed after it had expired': await issue(expire, complete),
    'completed, with something left to do': await issue(completeOpen),
    'cancelled and settled': await issue(cancelAndSettle),
  };
}

function recordTombstones({ uploadId }: Maker): Recorded {
  const of = (kind: Parameters<typeof tombstoneObject>[1]) => {
    const { Key, Tagging } = tombstoneObject(objectKeyOf(uploadId()), kind);
    return { Key, Tagging };
  };
  return { cancelled: of('cancelled'), superseded: of('superseded') };
}

/** 5 GiB, the largest upload, which no number of 32 bits holds. */
const size = 5_368_709_120;

function completion(made: Maker) {
  const text = (bytes: number) => Buffer.from(made.randomBytes(bytes)).toString('hex');
  const checksum_crc64nvme = Buffer.from(made.randomBytes(8)).toString('base64');
  return { size, etag: text(16), checksum_crc64nvme, version_id: text(16), completed_at: made.time() };
}

async function required(written: Promise<boolean>): Promise<void> {
  if (!(await written)) {
    throw new Error('A write of the recording was refused');
  }
}

function present(item: Item | undefined): Item {
  if (item === undefined) {
    throw new Error('An item of the recording is not there');
  }
  return item;
}
