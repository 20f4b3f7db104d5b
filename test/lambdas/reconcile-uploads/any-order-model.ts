import type { CreatedObject } from '../../../lambdas/shared/recording/bucket.ts';
import type { Content } from '../../../storage/file.ts';
import type { Upload } from '../../../storage/upload.ts';
import type { History } from './history.ts';

/** Data of one file in the tables, the bucket and the bus, at one time. */
export interface State {
  /** In the order of issue. */
  readonly uploads: readonly Upload[];
  readonly content: Content | undefined;
  /** By key. */
  readonly objects: ReadonlyMap<string, CreatedObject>;
  readonly announced: History['store']['announced'];
}

export interface Past {
  /** Before and after each call of a table, the bucket or the bus, until the file was deleted. */
  readonly states: readonly State[];
  readonly end: State;
  /** Keys of uploads with content, and of cancelled uploads. */
  readonly ended: ReadonlySet<string>;
  /** Keys of uploads for which S3 accepted a second PUT. */
  readonly storedTwice: ReadonlySet<string>;
}

const completedIn = ({ uploads }: State) => uploads.filter((upload) => upload.state === 'completed');

const eventsOf = ({ upload_id }: Upload, { announced }: State) =>
  announced.filter(({ upload }) => upload.upload_id === upload_id);

const kindsOf = (upload: Upload, state: State) => eventsOf(upload, state).map(({ kind }) => kind);

/** The content of the file exists in S3. */
export const contentIsNeverMissing = ({ states }: Past) =>
  states.filter(({ content, objects }) => content !== undefined && !objects.has(content.key));

export const completedIsAnnouncedBefore = ({ states }: Past) =>
  states.flatMap((state) =>
    completedIn(state).filter((upload) => !kindsOf(upload, state).includes('completed')),
  );

/** A completed upload is the content of the file, or older than the content. */
export const completedIsInTheFileBefore = ({ states }: Past) =>
  states.flatMap((state) =>
    completedIn(state).filter(({ upload_id }) => upload_id > (state.content?.upload_id ?? '')),
  );

export function fileHasTheNewestUpload({ end }: Past) {
  const [has, newest] = [end.content?.upload_id, completedIn(end).at(-1)?.upload_id];
  return has === newest ? [] : [{ has, newest }];
}

/** The file and its upload contain the same data about the content. */
export function fileAgreesWithItsUpload({ end }: Past) {
  const { content } = end;
  const upload = completedIn(end).find(({ upload_id }) => upload_id === content?.upload_id);
  const facts = ['version_id', 'size', 'etag', 'completed_at'] as const;
  return facts.filter((fact) => upload?.[fact] !== content?.[fact]);
}

export const exactlyWhatGotAnObjectEnds = ({ end, ended }: Past) =>
  end.uploads.filter(({ state, key }) => (state !== 'issued') !== ended.has(key));

/** An upload without an object ends as expired. */
export const lastEventSaysTheEnd = ({ end }: Past) =>
  end.uploads.filter((upload) => {
    const last = upload.state === 'issued' ? 'expired' : upload.state;
    return kindsOf(upload, end).at(-1) !== last;
  });

export const nothingExpiresAfterItsEnd = ({ end }: Past) =>
  end.uploads.filter((upload) => {
    const kinds: readonly string[] = kindsOf(upload, end);
    return upload.state !== 'issued' && kinds.lastIndexOf('expired') > kinds.indexOf(upload.state);
  });

/** Except after an operator removed a version that S3 should not have accepted. */
export const eventsNameTheStoredVersion = ({ end, storedTwice }: Past) =>
  completedIn(end).filter((upload) => {
    const events = eventsOf(upload, end).flatMap((event) => (event.kind === 'completed' ? [event] : []));
    const others = events.filter(({ content }) => content.version_id !== upload.version_id);
    return !storedTwice.has(upload.key) && others.length > 0;
  });

export const nothingStaysDue = ({ end }: Past) => end.uploads.filter((upload) => 'due_at' in upload);

export const allButTheNewestAreSuperseded = ({ end }: Past) =>
  completedIn(end).filter(
    ({ superseded_at }, place, { length }) => (superseded_at !== undefined) !== place < length - 1,
  );

export const onlyTheNewestContentIsStored = ({ end }: Past) =>
  completedIn(end).filter(({ key }, place, { length }) => end.objects.has(key) !== (place === length - 1));

export const everyRecordIsDeletedLater = ({ end }: Past) =>
  end.uploads.filter(({ delete_after }) => delete_after === undefined);

export const noContentIsStored = ({ end }: Past) => [...end.objects.values()].filter(({ size }) => size > 0);
