/** All scopes, with the sentence that the API description publishes for each. */
export const scopeDescriptions = {
  'volume:read': 'List and read drive volumes',
  'sync:create': 'Create a data source sync for a file',
} as const;

export type Scope = keyof typeof scopeDescriptions;

/** All scopes, in the order in which answers and discovery name them. */
export const scopes = Object.keys(scopeDescriptions) as Scope[];

export function isScope(value: string): value is Scope {
  return Object.hasOwn(scopeDescriptions, value);
}
