/**
 * The folders whose code is mutated, each with its floor: the least share of its covered mutants that the tests must
 * detect, in percent. A folder with a mutant that no test reaches fails at any score.
 */
export const floors: Readonly<Record<string, number>> = {
  'lambdas/token': 90,
  'lambdas/sync': 90,
  'lambdas/shared': 90,
  'lambdas/volumes': 90,
  'lambdas/well-known': 90,
  'lambdas/record-upload': 90,
  'lambdas/signing-keys': 90,
  storage: 90,
  contract: 90,
};
