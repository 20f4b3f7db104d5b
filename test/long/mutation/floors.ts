/**
 * The folders whose code is mutated, each with its floor: the least share of its covered mutants that the tests must
 * detect, in percent. A folder with a mutant that no test reaches fails at any score.
 */
export const floors: Readonly<Record<string, number>> = {
  'lambdas/token': 99,
  'lambdas/sync': 99,
  'lambdas/shared': 96,
  'lambdas/volumes': 100,
  'lambdas/well-known': 100,
  'lambdas/record-upload': 95,
  'lambdas/recording': 95,
  'lambdas/reconcile-uploads': 90,
  'lambdas/upload-events': 95,
  'lambdas/signing-keys': 90,
  'lambdas/deletion-protection': 90,
  storage: 98,
  contract: 100,
};
