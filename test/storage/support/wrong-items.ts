import type { Item } from '../../../storage/attributes.ts';

/** A fault, an item with the fault, and the place that the error must name. */
export type WrongItem = readonly [what: string, item: Item, place: string];

/** Returns one item per attribute, without that attribute. */
export function withoutEach(item: Item, names: readonly string[]): WrongItem[] {
  return names.map((name) => {
    const { [name]: _left, ...rest } = item;
    return [`without ${name}`, rest, name];
  });
}

/** Returns one item per attribute, with that attribute as a binary value, a type that no attribute uses. */
export function withEachOfAnotherType(item: Item): WrongItem[] {
  return Object.keys(item).map((name) => [
    `with ${name} of another type`,
    { ...item, [name]: { B: new Uint8Array([1]) } },
    name,
  ]);
}
