import type { Noun } from './noun.ts';

/**
 * What the value of a field is to people. Each view shows each kind in its own way.
 *
 * - `id`: the id of the entity, or of another entity to whose page it leads
 * - `text`: chosen by people. It is never trusted
 * - `opaque`: made by AWS or by the service, for programs
 * - `count`: a number, perhaps with a word
 * - `state`: one word, with a tone
 * - `lines`: several texts, each on a line of its own
 * - `timeline`: what happened, and when. Details with a timeline leave out the fields of the kind `time`
 */
type Kind = 'id' | 'text' | 'opaque' | 'time' | 'bytes' | 'count' | 'state' | 'lines' | 'timeline';

/** Something that happened, or that will happen. */
export interface Moment {
  /** ISO 8601 in UTC. */
  readonly at: string;
  /** What happens, in fixed words. */
  readonly event: string;
  readonly detail?: string | undefined;
}

/** `Bytes sent: 5 bytes from 192.0.2.1` */
export function momentText({ event, detail }: Moment): string {
  return detail === undefined ? event : `${event}: ${detail}`;
}

/** How a state looks: its colour says nothing that its word does not. */
export type Tone = 'good' | 'info' | 'warning' | 'bad' | 'plain';

/** How people see one attribute of an entity, or something that follows from several. */
export interface Field<Entity> {
  readonly label: string;
  readonly kind: Kind;
  /** The noun of the entity that an `id` names. Default: the entity itself. */
  readonly of?: Noun | undefined;
  /** Details show the fields of one group together. */
  readonly group?: string | undefined;
  /** The heading of a column, where the label is too long or unclear without its group. */
  readonly heading?: string;
  /** What is shown. Default: the value of the attribute. */
  readonly shows?: (entity: Entity) => unknown;
  readonly tones?: Readonly<Record<string, Tone>>;
}

/** The names of an entity's attributes. The content of a file has names of its own: `content_size` is its size. */
export type AttributeName<Entity> = Entity extends unknown
  ? { [Name in keyof Entity & string]-?: FlatName<Name, NonNullable<Entity[Name]>> }[keyof Entity & string]
  : never;

type FlatName<Name extends string, Value> = Name extends 'content' ? `content_${keyof Value & string}` : Name;

/** A field for each attribute of an entity. A missing or misspelled field does not compile. */
export type FieldsOf<Entity> = Readonly<Record<AttributeName<Entity>, Field<Entity>>>;

/** Makes fields without a value of their own: how an attribute is called and what it is. */
const plain =
  (kind: Kind) =>
  (label: string, more?: Pick<Field<never>, 'group' | 'heading' | 'of'>): Field<unknown> => ({
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

/** The id of the entity itself, or of what it belongs to. */
export const id = plain('id');

/** A state in one word. Each word has a tone. */
export function state<Entity, Word extends string>(
  label: string,
  shows: (entity: Entity) => Word,
  tones: Readonly<Record<Word, Tone>>,
): Field<Entity> {
  return { label, kind: 'state', shows, tones };
}

/** Something in other words than it is stored, or that follows from several attributes. */
export function shown<Entity>(
  label: string,
  kind: Exclude<Kind, 'state'>,
  shows: (entity: Entity) => unknown,
): Field<Entity> {
  return { label, kind, shows };
}

/** The value of an attribute: `content_size` is the size of the content. */
export function attributeOf(entity: object, name: string): unknown {
  const values: Readonly<Record<string, unknown>> = { ...entity };
  if (name in values) {
    return values[name];
  }
  const content: Readonly<Record<string, unknown>> = { ...(values.content ?? {}) };
  return name.startsWith('content_') ? content[name.slice('content_'.length)] : undefined;
}
