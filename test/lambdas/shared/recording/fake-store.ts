import type { Announce, Announcement } from '../../../../lambdas/shared/recording/announce.ts';
import type { Bucket, CreatedObject } from '../../../../lambdas/shared/recording/bucket.ts';
import { type RecordDependencies, recordObject } from '../../../../lambdas/shared/recording/record-object.ts';
import type { Tables } from '../../../../lambdas/shared/recording/recording-tables.ts';
import type { FileContent } from '../../../../storage/file.ts';
import type { IssuedUpload, Upload } from '../../../../storage/upload.ts';
import { deletionAt } from '../../../../storage/upload-due.ts';
import { noon } from '../../../support/signing-keys.ts';
import { recordingLog } from '../../support/log.ts';

/** Upload ids in the order of issue: 2026-01-31T08:00:00.000Z. */
export const id = (number: number) => `019c1310-e400-7${String(number).padStart(3, '0')}-8f43-5e0d1c2b3a49`;

/** Returns the object of an upload, as created by S3. */
export function objectOf(number: number, change: Partial<CreatedObject> = {}): CreatedObject {
  return {
    key: `uploads/${id(number)}`,
    versionId: `version-${number}`,
    size: number,
    etag: `etag-${number}`,
    createdAt: new Date('2026-01-31T08:30:00.000Z'),
    sourceIp: '192.0.2.7',
    ...change,
  };
}

/** Returns an upload without its due attributes. */
export function notDue<Any extends Upload>({ due_shard: _shard, due_at: _at, ...upload }: Any) {
  return upload;
}

/**
 * The tables and the bucket in memory, with the conditions of the real ones. Every call yields, so that
 * concurrent events interleave, and every call passes two crash points: one before its effect, one after.
 */
export class FakeStore {
  readonly uploads = new Map<string, Upload>();
  readonly files = new Map<string, FileContent>();
  /** Tombstone tags by version. */
  readonly tagsByVersion = new Map<string, string>();
  /** Writes with an effect and rejected writes, in order. */
  readonly writes: string[] = [];
  /** Sent events, in order. */
  readonly announced: Announcement[] = [];
  /** Checksums in S3, by version. */
  readonly checksums = new Map<string, string>();
  /** Called before and after each call of a store. Throws if the process dies there. */
  crashPoint: () => void = () => undefined;

  issue(uploadId: string, fileId: string): void {
    const upload: IssuedUpload = {
      upload_id: uploadId,
      file_id: fileId,
      organisation_id: 'acme',
      client_id: 'client',
      key: `uploads/${uploadId}`,
      issued_at: '2026-01-31T08:00:00.000Z',
      expires_at: '2026-01-31T09:00:00.000Z',
      state: 'issued',
      due_shard: '1',
      due_at: '2026-01-31T09:10:00.000Z',
    };
    this.uploads.set(uploadId, upload);
    if (!this.files.has(fileId)) {
      this.files.set(fileId, {});
    }
  }

  /** Changes an upload like an operator or another run. */
  change(uploadId: string, change: object): void {
    this.uploads.set(uploadId, { ...this.upload(uploadId), ...change });
  }

  upload(uploadId: string): Upload {
    const upload = this.uploads.get(uploadId);
    if (upload === undefined) {
      throw new Error(`No upload ${uploadId}`);
    }
    return upload;
  }

  /** Kind and upload of each sent event, in order. */
  kinds(): readonly string[] {
    return this.announced.map(({ kind, upload }) => `${kind} ${upload.upload_id}`);
  }

  readonly tables: Tables = {
    readUpload: (id) => this.call(() => this.uploads.get(id)),
    completeUpload: (id, completion) =>
      this.update('completeUpload', id, (upload) =>
        upload.state === 'issued' && upload.superseded_at === undefined
          ? { ...notDue(upload), ...completion, state: 'completed' }
          : undefined,
      ),
    completeSuperseded: (id, completion, at) =>
      this.update('completeSuperseded', id, (upload) =>
        upload.state === 'issued'
          ? {
              ...upload,
              ...completion,
              state: 'completed',
              superseded_at: upload.superseded_at ?? at,
              due_shard: '1',
              due_at: deletionAt(id, at),
            }
          : undefined,
      ),
    cancelUpload: (id, cancelled_at, announced_at) =>
      this.update('cancelUpload', id, (upload) =>
        upload.state === 'completed'
          ? undefined
          : { cancelled_at, announced_at, ...notDue(upload), state: 'cancelled' },
      ),
    markSuperseded: (id, superseded_at) =>
      this.update('markSuperseded', id, (upload) =>
        upload.superseded_at === undefined
          ? { due_shard: '1', due_at: deletionAt(id, superseded_at), ...upload, superseded_at }
          : undefined,
      ),
    postpone: ({ upload_id, due_at }, next) =>
      this.update('postpone', upload_id, (upload) =>
        due_at !== undefined && upload.due_at === due_at ? { ...upload, due_at: next } : undefined,
      ),
    readFileContent: (fileId) => this.call(() => this.files.get(fileId)),
    replaceContent: (fileId, replaced, content) =>
      this.write('replaceContent', () => {
        const file = this.files.get(fileId);
        if (file === undefined || file.deleted_at !== undefined || file.content?.upload_id !== replaced) {
          return false;
        }
        this.files.set(fileId, { content });
        return true;
      }),
  };

  readonly announce: Announce = (announcement) =>
    this.write('announce', () => {
      this.announced.push(announcement);
    });

  readonly bucket: Bucket = {
    readTombstone: (_key, versionId) => this.call(() => this.tagsByVersion.get(versionId)),
    readChecksum: (_key, versionId) => this.call(() => this.checksums.get(versionId)),
  };

  private write<Value>(name: string, effect: () => Value): Promise<Value> {
    return this.call(() => {
      this.writes.push(name);
      return effect();
    });
  }

  private async call<Value>(effect: () => Value): Promise<Value> {
    await Promise.resolve();
    this.crashPoint();
    const value = effect();
    this.crashPoint();
    await Promise.resolve();
    return value;
  }

  /** Writes conditionally: the change is undefined if the condition is false. */
  update(name: string, uploadId: string, change: (upload: Upload) => Upload | undefined): Promise<boolean> {
    return this.write(name, () => {
      const upload = this.uploads.get(uploadId);
      const changed = upload && change(upload);
      if (changed === undefined) {
        return false;
      }
      this.uploads.set(uploadId, changed);
      return true;
    });
  }
}

/** Creates uploads of the file `orders.csv`, whose objects are recorded at noon. */
export function recordingOf(uploads: number) {
  const store = new FakeStore();
  for (let number = 1; number <= uploads; number += 1) {
    store.issue(id(number), 'orders.csv');
  }
  const { log, lines, values } = recordingLog();
  const { tables, bucket, announce } = store;
  const dependencies: RecordDependencies = { tables, bucket, announce, now: () => noon, log };
  return {
    store,
    dependencies,
    record: (object: CreatedObject, others: Partial<RecordDependencies> = {}) =>
      recordObject(object, { ...dependencies, ...others }),
    file: () => store.files.get('orders.csv'),
    upload: (number = 1) => store.upload(id(number)),
    lines,
    values,
  };
}
