/** Minimum share of detected mutants for a room, and the tests that must detect them. */
export interface Floor {
  /**
   * Minimum share of all mutants that the tests must detect, in percent: the measured score, rounded down. Of a
   * sample: less its standard error. Raise it when the tests improve.
   */
  readonly percent: number;
  /** Number of covered mutants to test, at random. By default, all are tested. */
  readonly sample?: number;
  /**
   * Folder of the tests; by default the folder that mirrors the code. Only tests that import the code run: no
   * other tests call it in their own process.
   */
  readonly tests?: string;
}

/** Shared code is called by the tests of several functions, too. */
const sharedTests = 'test/lambdas/{shared,token,sync,well-known,record-upload,reconcile-uploads}';

/** Includes the test that starts the functions. In other rooms, it makes constants count as not detected. */
const startTests = 'test/lambdas';

/** The contract is read by shared code of the functions, and by lists of requests. */
const contractTests = 'test/{contract/data,lambdas/shared,tools/operator/requests}';

/**
 * Keys are folders of mutated code, without subfolders that have a separate floor. These floors were measured with
 * uncovered mutants: volumes, well-known, record-upload, storage, contract/openapi, tools/console/assets. The other
 * floors of `lambdas` and `contract` are computed: the former floor times the share of covered mutants. Those of `lib`,
 * `packages` and the other tools still leave out uncovered mutants, and may be too high: measure them.
 */
export const floors: Readonly<Record<string, Floor>> = {
  'lambdas/token': { percent: 95 },
  'lambdas/sync': { percent: 89, tests: startTests },
  'lambdas/shared': { percent: 94, tests: sharedTests },
  'lambdas/shared/http': { percent: 90, tests: sharedTests },
  'lambdas/shared/keys': { percent: 96, tests: sharedTests },
  'lambdas/shared/log': { percent: 95, tests: sharedTests },
  'lambdas/shared/recording': { percent: 94, tests: sharedTests },
  'lambdas/shared/tokens': { percent: 94, tests: sharedTests },
  'lambdas/volumes': { percent: 66, tests: startTests },
  'lambdas/well-known': { percent: 96, tests: startTests },
  'lambdas/record-upload': { percent: 100 },
  'lambdas/reconcile-uploads': { percent: 96 },
  'lambdas/signing-keys': { percent: 94 },
  'lambdas/deletion-protection': { percent: 96 },
  storage: { percent: 67 },
  contract: { percent: 100, tests: contractTests },
  'contract/internal': { percent: 69, tests: contractTests },
  'contract/openapi': { percent: 78, tests: 'test/contract/data' },
  lib: { percent: 85 },
  'tools/operator': { percent: 85, sample: 150, tests: 'test/tools/{admin,console,operator}' },
  'tools/admin': { percent: 85, sample: 150 },
  'tools/console': { percent: 85, sample: 150 },
  'tools/console/assets': { percent: 72 },
  'tools/terminal': { percent: 85, sample: 150, tests: 'test/tools/{admin,terminal,upload}' },
  'tools/upload': { percent: 85, sample: 150 },
  'tools/local': { percent: 85, sample: 150 },
  'tools/verify': { percent: 85, sample: 150 },
  'packages/client': { percent: 80, sample: 150, tests: '{packages/client/test,test/tools/upload}' },
  'packages/emulator': { percent: 80, sample: 150, tests: 'packages/emulator/test' },
};
