import type {
  Completion,
  Content,
  ObjectStore,
  StoredFile,
  StoredUpload,
  UploadStore,
} from '../../../lambdas/record-upload/upload-store.ts';

export interface FakeUpload extends StoredUpload {
  readonly supersededAt?: string;
}

export interface FakeFile {
  readonly content?: Content;
  readonly superseded: readonly string[];
}

/** Decides, before and after each call of a store, whether the process dies there. */
export type CrashPoint = () => void;

/**
 * The tables and the bucket in memory, with the conditions of the real ones. Every call yields, so that concurrent
 * events interleave, and every call passes two crash points: before it has an effect, and after.
 */
export class FakeStore {
  readonly uploadItems = new Map<string, FakeUpload>();
  readonly files = new Map<string, FakeFile>();
  /** Tombstone tags of the versions of an object, after its content. */
  readonly tombstones: { readonly key: string; readonly tag: string }[] = [];
  readonly tagsByVersion = new Map<string, string>();
  crashPoint: CrashPoint = () => undefined;

  issue(uploadId: string, fileId: string): void {
    const upload = {
      uploadId,
      fileId,
      key: `uploads/${uploadId}`,
      state: 'issued',
      superseded: false,
    } as const;
    this.uploadItems.set(uploadId, upload);
    if (!this.files.has(fileId)) {
      this.files.set(fileId, { superseded: [] });
    }
  }

  readonly uploads: UploadStore = {
    readUpload: (id) => this.call(() => this.uploadItems.get(id)),
    completeUpload: (id, completion) => this.call(() => this.changeIssued(id, 'completed', completion)),
    cancelUpload: (id) => this.call(() => this.changeIssued(id, 'cancelled')),
    markSuperseded: (id, supersededAt) =>
      this.call(() => {
        const upload = this.uploadItems.get(id);
        if (upload === undefined || upload.superseded) return false;
        this.uploadItems.set(id, { ...upload, superseded: true, supersededAt });
        return true;
      }),
    readFile: (fileId) => this.call(() => this.toStoredFile(fileId)),
    replaceContent: (read, content) =>
      this.call(() => {
        const file = this.files.get(read.fileId);
        if (file === undefined || file.content?.uploadId !== read.contentUploadId) return false;
        const replaced = file.content === undefined ? [] : [file.content.uploadId];
        this.files.set(read.fileId, { content, superseded: [...file.superseded, ...replaced] });
        return true;
      }),
    shiftSuperseded: (fileId, uploadId) =>
      this.call(() => {
        const file = this.files.get(fileId);
        if (file === undefined || file.superseded[0] !== uploadId) return false;
        this.files.set(fileId, { ...file, superseded: file.superseded.slice(1) });
        return true;
      }),
  };

  readonly objects: ObjectStore = {
    readTombstone: (_key, versionId) => this.call(() => this.tagsByVersion.get(versionId)),
    putSupersededTombstone: (key) =>
      this.call(() => {
        this.tombstones.push({ key, tag: 'superseded' });
      }),
  };

  private async call<Value>(effect: () => Value): Promise<Value> {
    await Promise.resolve();
    this.crashPoint();
    const value = effect();
    this.crashPoint();
    await Promise.resolve();
    return value;
  }

  private changeIssued(id: string, state: 'completed' | 'cancelled', completion?: Completion): boolean {
    const upload = this.uploadItems.get(id);
    if (upload?.state !== 'issued') return false;
    this.uploadItems.set(id, { ...upload, state, ...(completion === undefined ? {} : { completion }) });
    return true;
  }

  private toStoredFile(fileId: string): StoredFile | undefined {
    const file = this.files.get(fileId);
    if (file === undefined) return undefined;
    const { content, superseded } = file;
    return { fileId, ...(content === undefined ? {} : { contentUploadId: content.uploadId }), superseded };
  }
}
