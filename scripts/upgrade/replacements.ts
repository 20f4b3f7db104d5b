import { isDeepStrictEqual } from 'node:util';
import type { Schemas } from './schemas.ts';
import { type Resource, referencesIn, type Template } from './template.ts';

/** Why an update makes a new resource in place of one. */
export interface Replacement {
  /** Readable: `KeySchema changes from … to …`. */
  readonly because: string;
  readonly certain: boolean;
}

/**
 * The resources that an update replaces, by logical ID: those of another type, those of which a create-only property
 * changes, and those of which one refers to a resource that is replaced.
 */
export function replacements(
  from: Template,
  to: Template,
  schemas: Schemas,
): ReadonlyMap<string, Replacement> {
  const kept = Object.entries(to.Resources).flatMap(([id, now]) => {
    const before = from.Resources[id];
    return before === undefined ? [] : [{ id, before, now }];
  });
  const found = new Map<string, Replacement>();
  for (const { id, before, now } of kept) {
    const replacement = ownReplacement(before, now, schemas);
    if (replacement !== undefined) {
      found.set(id, replacement);
    }
  }
  // A replacement can cause others, and these again others.
  for (let size = -1; size !== found.size; ) {
    size = found.size;
    for (const { id, now } of kept.filter(({ id }) => !found.has(id))) {
      const replacement = replacementByReference(now, found, schemas);
      if (replacement !== undefined) {
        found.set(id, replacement);
      }
    }
  }
  return found;
}

function ownReplacement(before: Resource, now: Resource, schemas: Schemas): Replacement | undefined {
  if (before.Type !== now.Type) {
    return { because: `its type changes from ${before.Type} to ${now.Type}`, certain: true };
  }
  const old = schemas.createOnlyValues(now.Type, before.Properties);
  const current = schemas.createOnlyValues(now.Type, now.Properties);
  const changes = [...new Set([...old.keys(), ...current.keys()])]
    .filter((path) => !isDeepStrictEqual(old.get(path)?.value, current.get(path)?.value))
    .map((path) => ({
      because: `${path} changes from ${shown(old.get(path)?.value)} to ${shown(current.get(path)?.value)}`,
      certain: (old.get(path) ?? current.get(path))?.certain === true,
    }));
  return worst(changes);
}

function replacementByReference(
  { Type, Properties }: Resource,
  replaced: ReadonlyMap<string, Replacement>,
  schemas: Schemas,
): Replacement | undefined {
  const changes = [...schemas.createOnlyValues(Type, Properties)].flatMap(([path, { value, certain }]) =>
    [...referencesIn(value)].flatMap((id) => {
      const cause = replaced.get(id);
      const because = `${path} refers to ${id}, which is replaced`;
      return cause === undefined ? [] : [{ because, certain: certain && cause.certain }];
    }),
  );
  return worst(changes);
}

/** One replacement for all its causes. It is certain when one of them is. */
function worst(changes: readonly Replacement[]): Replacement | undefined {
  if (changes.length === 0) {
    return undefined;
  }
  const certain = changes.filter((change) => change.certain);
  const causes = certain.length > 0 ? certain : changes;
  return { because: causes.map(({ because }) => because).join('; '), certain: certain.length > 0 };
}

/** A value of a template in one line; `nothing` for one that is absent. */
export function shown(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}
