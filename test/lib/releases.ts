/** A release: permissions of its roles, and those of them that its code does not use. */
export interface Release {
  readonly version: string;
  /** See `RolePermission.text`. */
  readonly permissions: readonly string[];
  readonly unused: readonly string[];
}

/**
 * Permissions that are granted one release before the code uses them, or one release after the code has used
 * them: texts of `rolePermissions`. `test/system/iam/` shows that the code uses all others and no more.
 */
export const unusedPermissions: readonly string[] = [];

/**
 * Compares a release with the one before, because CloudFormation changes policies and code at different times:
 * for seconds or minutes, the code of one runs with the permissions of the other. A new function or resource
 * has no earlier code, and a removed function no later code.
 *
 * @returns a sentence for each permission that is granted too late, removed too early, or unused in two releases
 */
export function permissionProblems(last: Release, next: Release): readonly string[] {
  const late = usedIn(next).filter((text) => !last.permissions.includes(text) && namesAll(last, text));
  const early = usedIn(last).filter(
    (text) => !next.permissions.includes(text) && namesAll(next, text.slice(0, text.indexOf(':'))),
  );
  const superfluous =
    next.version === last.version ? [] : next.unused.filter((text) => last.unused.includes(text));
  return [
    ...late.map(
      (text) =>
        `${text} is used, but ${last.version} does not grant it. Grant it in this release, in unusedPermissions, and use it in the next one.`,
    ),
    ...early.map(
      (text) =>
        `${text} is used by ${last.version}, and removed. Grant it in this release, in unusedPermissions, and remove it in the next one.`,
    ),
    ...superfluous.map((text) => `${text} was unused in ${last.version} too. Use it, or remove it.`),
  ];
}

function usedIn({ permissions, unused }: Release): readonly string[] {
  return permissions.filter((text) => !unused.includes(text));
}

/** True if permissions of a release contain each role and resource that a text names. */
function namesAll({ permissions }: Release, text: string): boolean {
  const names = text.match(/<[\w:]+/g) ?? [];
  return names.every((name) => permissions.some((other) => other.includes(name)));
}
