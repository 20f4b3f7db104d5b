import type { Announce, Announcement } from '../../../../lambdas/shared/recording/announce.ts';
import type { Bucket, CreatedObject } from '../../../../lambdas/shared/recording/bucket.ts';
import type { Tables } from '../../../../lambdas/shared/recording/tables.ts';
import type { FileContent } from '../../../../storage/file.ts';
import type { IssuedUpload, Upload } from '../../../../storage/upload.ts';

/** Upload ids in the order of issue. */
export const id = (number: number) => `019c1b2e-7d3a-7${String(number).padStart(3, '0')}-8f43-5e0d1c2b3a49`;

/** The object of an upload, as S3 created it. */
export function objectOf(number: number, change: Partial<CreatedObject> = {}): CreatedObject {
  return {
    key: `uploads/${id(number)}`,
    versionId: `version-${number}`,
    size: number,
    etag: `etag-${number}`,
    createdAt: new Date('2026-01-31T08:30:00.000Z'),
    ...change,
  };
}

/** An upload without what makes it due. */
function settled<Any extends Upload>({ due_shard: _shard, due_at: _at, ...upload }: Any) {
  return upload;
}

/** Decides, before and after each call of a store, whether the process dies there. */
export type CrashPoint = () => void;

/**
 * The tables and the bucket in memory, with the conditions of the real ones. Every call yields, so that concurrent
 * events interleave, and every call passes two crash points: before it has an effect, and after.
 */
export class FakeStore {
  readonly uploads = new Map<string, Upload>();
  readonly files = new Map<string, FileContent>();
  /** Tombstone tags of the versions of an object, after its content. */
  readonly tombstones: { readonly key: string; readonly tag: string }[] = [];
  readonly tagsByVersion = new Map<string, string>();
  /** Versions by key, in the order in which they were stored. */
  readonly versions = new Map<string, readonly string[]>();
  /** The writes that had an effect or were refused, in order. */
  readonly writes: string[] = [];
  /** The events that were sent, in their order. */
  readonly announced: Announcement[] = [];
  /** Checksums that S3 has, by version. */
  readonly checksums = new Map<string, string>();
  /** The versions whose checksum was read, in order. */
  readonly checksumsRead: string[] = [];
  crashPoint: CrashPoint = () => undefined;

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
      this.files.set(fileId, { superseded: [] });
    }
  }

  /** Changes an upload, as an older version of the service or an operator could have. */
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

  isDue(uploadId: string): boolean {
    return this.upload(uploadId).due_at !== undefined;
  }

  /** Kind and upload of each event that was sent, in order. */
  kinds(): readonly string[] {
    return this.announced.map(({ kind, upload }) => `${kind} ${upload.upload_id}`);
  }

  /** Stores a version, unless it is there already. */
  put(key: string, versionId: string): void {
    const versions = this.versions.get(key) ?? [];
    if (!versions.includes(versionId)) {
      this.versions.set(key, [...versions, versionId]);
    }
  }

  readonly tables: Tables = {
    readUpload: (id) => this.call(() => this.uploads.get(id)),
    completeUpload: (
      id,
      { size, etag, checksum_crc64nvme, version_id, completed_at },
      settling = 'settled',
    ) =>
      this.write('completeUpload', () =>
        this.changeIssued(id, (upload) => ({
          ...(settling === 'settled' ? settled(upload) : { ...upload, announced: true }),
          state: 'completed',
          size,
          etag,
          ...(checksum_crc64nvme === undefined ? {} : { checksum_crc64nvme }),
          version_id,
          completed_at,
        })),
      ),
    settleUpload: (id) =>
      this.write('settleUpload', () => {
        const upload = this.uploads.get(id);
        if (upload?.state !== 'completed') {
          return false;
        }
        this.uploads.set(id, settled(upload));
        return true;
      }),
    cancelUpload: (id, at) =>
      this.write('cancelUpload', () => {
        const upload = this.uploads.get(id);
        if (upload === undefined || upload.state === 'completed') {
          return false;
        }
        const cancelled_at = upload.state === 'cancelled' ? upload.cancelled_at : at;
        this.uploads.set(id, { ...settled(upload), state: 'cancelled', cancelled_at });
        return true;
      }),
    markSuperseded: (id, superseded_at) =>
      this.write('markSuperseded', () => {
        const upload = this.uploads.get(id);
        if (upload === undefined || upload.superseded_at !== undefined) {
          return false;
        }
        this.uploads.set(id, { ...upload, superseded_at });
        return true;
      }),
    readFileContent: (fileId) => this.call(() => this.files.get(fileId)),
    replaceContent: (fileId, replaced, content) =>
      this.write('replaceContent', () => {
        const file = this.files.get(fileId);
        if (file === undefined || file.deleted_at !== undefined || file.content?.upload_id !== replaced) {
          return false;
        }
        const outbox = [...(file.superseded ?? []), ...(replaced === undefined ? [] : [replaced])];
        this.files.set(fileId, { content, superseded: outbox });
        return true;
      }),
    shiftSuperseded: (fileId, uploadId) =>
      this.write('shiftSuperseded', () => {
        const file = this.files.get(fileId);
        if (file?.superseded?.[0] !== uploadId) {
          return false;
        }
        this.files.set(fileId, { ...file, superseded: file.superseded.slice(1) });
        return true;
      }),
  };

  readonly announce: Announce = (announcement) =>
    this.write('announce', () => {
      this.announced.push(announcement);
    });

  readonly bucket: Bucket = {
    readTombstone: (_key, versionId) => this.call(() => this.tagsByVersion.get(versionId)),
    putSupersededTombstone: (key) =>
      this.write('putSupersededTombstone', () => {
        this.tombstones.push({ key, tag: 'superseded' });
        this.put(key, `tombstone-${this.tombstones.length}`);
      }),
    readChecksum: (_key, versionId) =>
      this.call(() => {
        this.checksumsRead.push(versionId);
        return this.checksums.get(versionId);
      }),
    listVersions: (key) => this.call(() => this.versions.get(key) ?? []),
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

  private changeIssued(id: string, change: (upload: IssuedUpload) => Upload): boolean {
    const upload = this.uploads.get(id);
    if (upload?.state !== 'issued') {
      return false;
    }
    this.uploads.set(id, change(upload));
    return true;
  }
}
