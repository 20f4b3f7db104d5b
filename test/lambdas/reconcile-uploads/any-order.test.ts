import { invariantTest } from '../support/invariants.ts';
import { live, plans, plansThatDelete } from './any-order-fixture.ts';
import { ofADeletedFile, ofAKeptFile } from './any-order-model.ts';

// More for a long run: `HISTORIES=20000 npx vitest run test/lambdas/reconcile-uploads/any-order --testTimeout 3600000`.
const defaults = 250;

describe('whatever is stored, cancelled, lost, repeated, late, at the same time, or dies:', () => {
  test.for(Object.keys(ofAKeptFile))('%s', invariantTest(plans, live, ofAKeptFile, defaults));
});

describe('also when the file is deleted:', () => {
  test.for(Object.keys(ofADeletedFile))('%s', invariantTest(plansThatDelete, live, ofADeletedFile, defaults));
});
