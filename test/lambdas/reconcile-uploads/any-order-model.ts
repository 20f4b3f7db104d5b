import type { CreatedObject } from '../../../lambdas/shared/recording/bucket.ts';
import type { Content } from '../../../storage/file.ts';
import type { Upload } from '../../../storage/upload.ts';
import type { Invariant } from '../support/invariants.ts';
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

type Invariants = Readonly<Record<string, Invariant<Past>>>;

const always: Invariants = {
  'S3 never lacks the content of the file': ({ states }) =>
    states.filter(({ content, objects }) => content !== undefined && !objects.has(content.key)),
  'an upload is announced before it is completed': ({ states }) =>
    states.flatMap((state) =>
      completedIn(state).filter((upload) => !kindsOf(upload, state).includes('completed')),
    ),
  // A completed upload is the content of the file, or older than the content.
  'the file has an upload, or a later one, before it is completed': ({ states }) =>
    states.flatMap((state) =>
      completedIn(state).filter(({ upload_id }) => upload_id > (state.content?.upload_id ?? '')),
    ),
  'no upload stays due': ({ end }) => end.uploads.filter((upload) => 'due_at' in upload),
};

export const ofAKeptFile: Invariants = {
  ...always,
  'the file has the newest upload': ({ end }) => {
    const [has, newest] = [end.content?.upload_id, completedIn(end).at(-1)?.upload_id];
    return has === newest ? [] : [{ has, newest }];
  },
  // The file and its upload contain the same data about the content.
  'the file agrees with its upload': ({ end }) => {
    const { content } = end;
    const upload = completedIn(end).find(({ upload_id }) => upload_id === content?.upload_id);
    const facts = ['version_id', 'size', 'etag', 'completed_at'] as const;
    return facts.filter((fact) => upload?.[fact] !== content?.[fact]);
  },
  'exactly those uploads end that were stored or cancelled': ({ end, ended }) =>
    end.uploads.filter(({ state, key }) => (state !== 'issued') !== ended.has(key)),
  // An upload without an object ends as expired.
  'the last event of an upload says how it ended': ({ end }) =>
    end.uploads.filter((upload) => {
      const last = upload.state === 'issued' ? 'expired' : upload.state;
      return kindsOf(upload, end).at(-1) !== last;
    }),
  'no upload expires after its end': ({ end }) =>
    end.uploads.filter((upload) => {
      const kinds: readonly string[] = kindsOf(upload, end);
      return upload.state !== 'issued' && kinds.lastIndexOf('expired') > kinds.indexOf(upload.state);
    }),
  // Except after an operator removed a version that S3 should not have accepted.
  'events name the version that was stored': ({ end, storedTwice }) =>
    completedIn(end).filter((upload) => {
      const events = eventsOf(upload, end).flatMap((event) => (event.kind === 'completed' ? [event] : []));
      const others = events.filter(({ content }) => content.version_id !== upload.version_id);
      return !storedTwice.has(upload.key) && others.length > 0;
    }),
  'all completed uploads but the newest are superseded': ({ end }) =>
    completedIn(end).filter(
      ({ superseded_at }, place, { length }) => (superseded_at !== undefined) !== place < length - 1,
    ),
  'of completed uploads S3 keeps only the newest': ({ end }) =>
    completedIn(end).filter(({ key }, place, { length }) => end.objects.has(key) !== (place === length - 1)),
};

export const ofADeletedFile: Invariants = {
  ...always,
  'every record gets a time after which it is deleted': ({ end }) =>
    end.uploads.filter(({ delete_after }) => delete_after === undefined),
  'no content is kept': ({ end }) => [...end.objects.values()].filter(({ size }) => size > 0),
};
