/** Permissions of the roles in a release: `<SyncRole> dynamodb:GetItem on <FilesTable.Arn>`. */
export interface Release {
  readonly version: string;
  readonly permissions: readonly string[];
  /** Permissions that the code does not use. */
  readonly unused: readonly string[];
}

/**
 * Permissions that are granted one release before their first use, or one release after their last use.
 * `test/system/iam/` shows that the code uses all others, and no more.
 */
export const unusedPermissions: readonly string[] = [];

/**
 * Compares a release with the last one. CloudFormation changes policies and code at different times, so for minutes
 * the code of one runs with the permissions of the other. A new function has no earlier code, a new resource no
 * earlier use, and a removed function no later code.
 */
export function permissionProblems(last: Release, next: Release): readonly string[] {
  return [
    ...missing(next, last, /<[\w:]+/g).map((text) => `${last.version} does not grant ${text}`),
    ...missing(last, next, /^<\w+/g).map((text) => `${last.version} still uses ${text}`),
  ];
}

/**
 * Returns the permissions that the code of a release uses, and another release does not grant.
 *
 * @param names pattern of the names in a permission that the other release must contain too
 */
function missing({ permissions, unused }: Release, other: Release, names: RegExp): readonly string[] {
  const known = other.permissions.join();
  return permissions
    .filter((text) => !unused.includes(text) && !other.permissions.includes(text))
    .filter((text) => text.match(names)?.every((name) => known.includes(name)));
}
