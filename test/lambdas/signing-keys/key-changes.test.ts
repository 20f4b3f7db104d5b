import { describe, test } from 'vitest';
import { invariantTest } from '../support/invariants.ts';
import { live, rotations, rotationsAndRevocations } from './key-changes-fixture.ts';
import {
  aPublishedKeyTakesOver,
  everyTokenVerifies,
  labelsAreRight,
  noKeyThatTokenReadSigns,
  noOperationFails,
  noRevokedKeyIsPublished,
  noRevokedKeySigns,
} from './key-changes-model.ts';

// More histories for a long run: `HISTORIES=5000 npx vitest run test/lambdas/signing-keys/key-changes --testTimeout 3600000`.

/** Also checked for functions and clients with the oldest key set that their caches allow. */
const always = {
  'every token verifies until it expires': everyTokenVerifies,
  'an operation fails only if its function dies': noOperationFails,
  'the labels end where the keys say': labelsAreRight,
};

describe('however often keys rotate, and rotations die and are repeated,', () => {
  test.for(Object.keys(always))('%s', invariantTest(rotations, live, always, 60));
});

describe('also when keys are revoked,', () => {
  const invariants = {
    ...always,
    'a revoked key is never published again': noRevokedKeyIsPublished,
    'a revoked key never signs again': noRevokedKeySigns,
    'no key that token could read before signs again': noKeyThatTokenReadSigns,
    'a published key takes over from one key': aPublishedKeyTakesOver,
  };

  test.for(Object.keys(invariants))('%s', invariantTest(rotationsAndRevocations, live, invariants, 60));
});
