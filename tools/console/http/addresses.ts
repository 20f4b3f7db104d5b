import { type Noun, nouns, type Verb } from '../../operator/description/noun.ts';

/** A path of the console: each part is encoded. */
export function path(...parts: readonly string[]): string {
  return `/${parts.map(encodeURIComponent).join('/')}`;
}

/** An address with a query. Undefined and empty values are left out. */
export function withQuery(address: string, query: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return given.length === 0 ? address : `${address}?${new URLSearchParams(given)}`;
}

/** The page of one entity, or the list of all without an id. A signing key is on the page of all keys. */
export function entityAddress(noun: Noun, id = ''): string {
  const { plural } = nouns[noun];
  return noun === 'signing-key' || id === '' ? path(plural) : path(plural, id);
}

/**
 * The page of an action. Operators choose the ids of files. So an action without an id has a plus sign in its address,
 * which no id has.
 *
 * @param id absent for an action that is not on one entity
 */
export function actionAddress(noun: Noun, verb: Verb, id?: string): string {
  return id === undefined ? `/${nouns[noun].plural}/+${verb}` : path(nouns[noun].plural, id, verb);
}
