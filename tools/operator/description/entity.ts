import { formatCount } from '../text.ts';
import { attributeOf, type Field, type FieldsOf, type Moment, type Tone } from './field.ts';
import type { NextStep } from './next-step.ts';
import { idName, type Noun, spoken } from './noun.ts';

/**
 * Fields of a client, a file, an upload ... Details, tables, CSV and the pages of the console are created
 * from them.
 */
export interface Entity<Of extends object = object, Name extends string = string> {
  readonly noun: Noun;
  /** Word for one entity in a list. Default: the noun. */
  readonly rowNoun?: string;
  readonly fields: Readonly<Record<Name, Field<Of>>>;
  /**
   * Columns of a list. A narrow terminal drops the last columns. A phone shows the first three without the id.
   */
  readonly listed: readonly Name[];
  /** Columns of CSV. Add new columns at the end. */
  readonly csv?: readonly Name[];
  /** Cell with the link to the page of the entity. Default: the entity does not have a page. */
  readonly main?: Name;
  /** Returns the query of the address of that page. Default: none. */
  query?(of: Of): Readonly<Record<string, string>>;
  /** True if a phone shows every column, and scrolls them. */
  readonly isWhole?: boolean;
}

/** Defines an entity. Does not compile if an attribute lacks a field, or a name is not a field. */
export function defineEntity<Of extends object>() {
  return <const Fields extends FieldsOf<Of> & Readonly<Record<string, Field<Of>>>>(
    description: Omit<Entity<Of, keyof Fields & string>, 'fields'> & { readonly fields: Fields },
  ): Entity<Of, keyof Fields & string> => description;
}

/** Value of a field, with its label. Every view shows facts. */
export type Fact = Pick<Field, 'label' | 'group' | 'of'> & { readonly name: string } & (
    | {
        readonly kind: 'id' | 'text' | 'opaque' | 'time' | 'count' | 'state';
        readonly value: string;
        readonly tone: Tone;
      }
    | { readonly kind: 'bytes'; readonly value: number }
    | { readonly kind: 'lines'; readonly value: readonly string[] }
    | { readonly kind: 'timeline'; readonly value: readonly Moment[] }
  );

/** Returns the word for one entity in a list, for use in a sentence. */
export function rowNounOf({ noun, rowNoun = spoken(noun) }: Entity): string {
  return rowNoun;
}

/** Returns the facts of an entity, in the order of its fields. A timeline replaces single times. */
export function factsOf(entity: Entity, of: object): readonly Fact[] {
  const facts = Object.keys(entity.fields).flatMap((name) => factOf(entity, of, name) ?? []);
  const hasTimeline = facts.some(({ kind }) => kind === 'timeline');
  return hasTimeline ? facts.filter(({ kind }) => kind !== 'time') : facts;
}

/** Returns one fact of an entity. Undefined if the field is empty. */
export function factOf(entity: Entity, of: object, name: string): Fact | undefined {
  const field = entity.fields[name];
  const value = field?.compute === undefined ? attributeOf(of, name) : field.compute(of);
  if (field === undefined || value === undefined) {
    return undefined;
  }
  const { kind, tones, label, group, of: noun } = field;
  const fact = { name, label, group, of: noun };
  const values = Array.isArray(value) ? value : [value];
  switch (kind) {
    case 'bytes':
      return { ...fact, kind, value: Number(value) };
    case 'lines':
      return { ...fact, kind, value: values.map(String) };
    case 'timeline':
      return { ...fact, kind, value: values };
    case 'id':
    case 'text':
    case 'opaque':
    case 'time':
    case 'count':
    case 'state': {
      const word = typeof value === 'number' ? formatCount(value) : values.join(' ');
      return { ...fact, kind, value: word, tone: tones?.[word] ?? 'plain' };
    }
  }
}

/** Column of a list. */
export interface ListColumn {
  readonly name: string;
  readonly heading: string;
  /** True for numbers, which are aligned to the right. */
  readonly isNumber: boolean;
  /** True for ids of the service, which a narrow terminal shortens. People choose the ids of organisations. */
  readonly isId: boolean;
}

/** Returns the columns of a list of entities. */
export function columnsOf({ fields, listed }: Entity): readonly ListColumn[] {
  return listed.map((name) => {
    const { label = name, heading = label, kind } = fields[name] ?? {};
    const isNumber = kind === 'bytes' || kind === 'count';
    return { name, heading, isNumber, isId: kind === 'id' && name !== 'organisation_id' };
  });
}

/** One entity, with notes and next steps for the operator. */
export interface EntityDetails<Of = object> {
  readonly of: Of;
  /** Notes, each a sentence. */
  readonly notes: readonly string[];
  /** Suggested next steps. */
  readonly next?: readonly NextStep[] | undefined;
}

/** Returns the id of an entity. */
export function idOf({ noun }: Pick<Entity, 'noun'>, of: object): string {
  return String(attributeOf(of, idName(noun)));
}
