import { invariantTest } from '../support/invariants.ts';
import { live, rotations, rotationsAndRevocations } from './key-changes-fixture.ts';
import { alsoAfterRevocations, always } from './key-changes-model.ts';

// More histories for a long run: `HISTORIES=5000 npx vitest run test/lambdas/signing-keys/key-changes --testTimeout 3600000`.

describe('however often keys rotate, and rotations die and are repeated,', () => {
  test.for(Object.keys(always))('%s', invariantTest(rotations, live, always, 30));
});

describe('also when keys are revoked,', () => {
  test.for(Object.keys(alsoAfterRevocations))(
    '%s',
    invariantTest(rotationsAndRevocations, live, alsoAfterRevocations, 30),
  );
});
