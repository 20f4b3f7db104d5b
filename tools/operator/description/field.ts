import type { Noun } from './noun.ts';

/**
 * Kind of a field's value. Each view shows each kind in its own way.
 *
 * - `id`: the id of the entity, or of another entity, with a link to its page
 * - `text`: chosen by people. It is never trusted
 * - `opaque`: created by AWS or the service, for programs
 * - `count`: a number, perhaps with a word
 * - `state`: one word, with a tone
 * - `lines`: several texts, each on its own line
 * - `timeline`: events and their times. Details with a timeline leave out the fields of the kind `time`
 */
type Kind = 'id' | 'text' | 'opaque' | 'time' | 'bytes' | 'count' | 'state' | 'lines' | 'timeline';

/** A past or future event. */
export interface Moment {
  /** ISO 8601 in UTC. */
  readonly at: string;
  /** Name of the event, in fixed words. */
  readonly event: string;
  readonly detail?: string | undefined;
}

/** Formats an event, such as `Bytes sent: 5 bytes from 192.0.2.1`. */
export function momentText({ event, detail }: Moment): string {
  return detail === undefined ? event : `${event}: ${detail}`;
}

/** Tone of a state. Its colour only repeats the meaning of the word. */
export type Tone = 'good' | 'info' | 'warning' | 'bad' | 'plain';

/** Display of one attribute of an entity, or of a value computed from several attributes. */
export interface Field<Entity = object> {
  readonly label: string;
  readonly kind: Kind;
  /** Noun of the entity that an `id` names. Default: the entity itself. */
  readonly of?: Noun | undefined;
  /** Group of the field. Details show the fields of a group under one heading. */
  readonly group?: string | undefined;
  /** Heading of a column, where the label is too long, or unclear without its group. */
  readonly heading?: string;
  /** Returns the value to show. Default: the value of the attribute. */
  compute?(entity: Entity): unknown;
  readonly tones?: Readonly<Record<string, Tone>>;
}

/** Names of an entity's attributes. The content of a file is flattened: `content_size` is its size. */
export type AttributeName<Entity> = Entity extends unknown
  ? { [Name in keyof Entity & string]-?: FlatName<Name, NonNullable<Entity[Name]>> }[keyof Entity & string]
  : never;

type FlatName<Name extends string, Value> = Name extends 'content' ? `content_${keyof Value & string}` : Name;

/** A field for each attribute of an entity. Does not compile if a field is missing or misspelled. */
export type FieldsOf<Entity> = Readonly<Record<AttributeName<Entity>, Field<Entity>>>;

/** Creates fields that show the value of the attribute. */
const plain =
  (kind: Kind) =>
  (label: string, more?: Pick<Field, 'group' | 'heading' | 'of'>): Field<unknown> => ({
    label,
    kind,
    ...more,
  });

export const text = plain('text');
export const opaque = plain('opaque');
export const time = plain('time');
export const bytes = plain('bytes');
export const count = plain('count');
export const timeline = plain('timeline');

/** Fields of the creation of an entity, of its last change by an operator, and of what stops it. */
export const changeFields = {
  created_at: time('Created'),
  created_by: opaque('Created by'),
  updated_at: time('Updated'),
  updated_by: opaque('Updated by'),
  suspended_at: time('Suspended'),
  deleted_at: time('Deleted'),
  undeleted_at: time('Undo began'),
  erased_at: time('Erasure began'),
  delete_after: time('Record kept until'),
};

/** Creates a field for the id of the entity itself, or of an entity that it belongs to. */
export const id = plain('id');

/** Creates a field for a state in one word. Each word has a tone. */
export function state<Entity, Word extends string>(
  label: string,
  compute: (entity: Entity) => Word,
  tones: Readonly<Record<Word, Tone>>,
): Field<Entity> {
  return { label, kind: 'state', compute, tones };
}

/** Creates a field for a value that is reworded, or computed from several attributes. */
export function shown<Entity>(
  label: string,
  kind: Exclude<Kind, 'state'>,
  compute: (entity: Entity) => unknown,
): Field<Entity> {
  return { label, kind, compute };
}

/** Returns the value of an attribute: `content_size` is the size of the content. */
export function attributeOf(entity: object, name: string): unknown {
  const values: Readonly<Record<string, unknown>> = { ...entity };
  if (name in values) {
    return values[name];
  }
  const content: Readonly<Record<string, unknown>> = { ...(values.content ?? {}) };
  return name.startsWith('content_') ? content[name.slice('content_'.length)] : undefined;
}
