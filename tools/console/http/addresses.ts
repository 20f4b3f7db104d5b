import type { Noun, Verb } from '../../operator/description/noun.ts';

/** Returns a path of the console, with each part encoded. */
export function path(...parts: readonly string[]): string {
  return `/${parts.map(encodeURIComponent).join('/')}`;
}

/** Returns an address with a query. Undefined and empty values are left out. */
export function withQuery(address: string, query: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return given.length === 0 ? address : `${address}?${new URLSearchParams(given)}`;
}

/** Returns the address of an entity, or of the list of all without an id. Signing keys share one page. */
export function entityAddress(noun: Noun, id = ''): string {
  const plural = `${noun}s`;
  return noun === 'signing-key' || id === '' ? path(plural) : path(plural, id);
}

/**
 * Returns the address of an action, or of the guide of a client. Operators choose the ids of files, so an address
 * without an id contains a plus sign, which is not valid in ids.
 *
 * @param id id of the entity; absent for an action that is not on one entity
 */
export function actionAddress(noun: Noun, verb: Verb | 'guide', id?: string): string {
  return id === undefined ? `/${noun}s/+${verb}` : path(`${noun}s`, id, verb);
}
