import * as v from 'valibot';

const resourceSchema = v.object({
  Type: v.string(),
  Properties: v.optional(v.record(v.string(), v.unknown()), {}),
  DeletionPolicy: v.optional(v.string()),
  UpdateReplacePolicy: v.optional(v.string()),
});

/** What the comparison reads of a template. */
export const templateSchema = v.object({
  Resources: v.record(v.string(), resourceSchema),
  Outputs: v.optional(v.record(v.string(), v.object({ Value: v.unknown() })), {}),
});

export type Resource = v.InferOutput<typeof resourceSchema>;
export type Template = v.InferOutput<typeof templateSchema>;

/** A stack as it was synthesized. */
export interface SynthesizedStack {
  readonly name: string;
  readonly terminationProtection: boolean;
  readonly template: Template;
}

/** Logical IDs and pseudo parameters to which a value refers, by `Ref`, `Fn::GetAtt` or `Fn::Sub`. */
export function referencesIn(value: unknown): ReadonlySet<string> {
  return new Set(references(value));
}

function references(value: unknown): readonly string[] {
  if (Array.isArray(value)) {
    return value.flatMap(references);
  }
  if (!isObject(value)) {
    return [];
  }
  return Object.entries(value).flatMap(([name, inner]) => {
    switch (name) {
      case 'Ref':
        return typeof inner === 'string' ? [inner] : [];
      case 'Fn::GetAtt':
        return [String(Array.isArray(inner) ? inner[0] : inner).split('.')[0] ?? ''];
      case 'Fn::Sub':
        return [...substituted(Array.isArray(inner) ? inner[0] : inner), ...references(inner)];
      default:
        return references(inner);
    }
  });
}

/** Names in `${Name}` and `${Name.Attribute}`; `${!Name}` is text. */
function substituted(text: unknown): readonly string[] {
  return [...String(text).matchAll(/\$\{([\w:]+)(?:\.[\w.]+)?\}/g)].map(([, name = '']) => name);
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a path such as `VersioningConfiguration.Status`. */
export function valueAt(value: unknown, path: string): unknown {
  let found = value;
  for (const name of path.split('.')) {
    found = isObject(found) ? found[name] : undefined;
  }
  return found;
}
