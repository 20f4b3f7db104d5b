/** Code that is mutated, and what must notice. */
export interface Floor {
  /** The least share of the covered mutants that the tests must detect, in percent. */
  readonly percent: number;
  /** Folder of the tests. Those that import the code run: only they call it in their own process. */
  readonly tests: string;
}

/** A function that has tests of its own. */
function withTests(folder: string): Readonly<Record<string, Floor>> {
  return { [folder]: { percent: 93, tests: `test/${folder}` } };
}

/** By the folder that is mutated. */
export const floors: Readonly<Record<string, Floor>> = {
  ...withTests('lambdas/token'),
  ...withTests('lambdas/sync'),
  ...withTests('lambdas/shared'),
  'lambdas/volumes': { percent: 93, tests: 'test/lambdas' },
  ...withTests('lambdas/well-known'),
  ...withTests('lambdas/record-upload'),
  ...withTests('lambdas/reconcile-uploads'),
  ...withTests('lambdas/signing-keys'),
  ...withTests('lambdas/deletion-protection'),
  storage: { percent: 93, tests: 'test/{lambdas,storage}' },
  contract: { percent: 93, tests: 'test/{lambdas,contract/data}' },
  lib: { percent: 85, tests: 'test/lib' },
  'tools/operator': { percent: 85, tests: 'test/tools/cli/admin' },
};
