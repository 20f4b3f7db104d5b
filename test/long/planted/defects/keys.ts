import type { Subject } from '../defect.ts';

const rotation = ['test/lambdas/signing-keys'];

/** Signing keys, and client secrets while they change. */
export const keys: Subject = {
  subject: 'keys',
  defects: [
    {
      name: 'new-key-signs-immediately',
      promise: 'A key signs only when every cached key set contains it (docs/architecture.md)',
      file: 'lambdas/signing-keys/key-set-plan.ts',
      find: 'usableFrom.getTime() <= now.getTime()',
      replace: 'usableFrom.getTime() > 0',
      tests: rotation,
    },
    {
      name: 'new-key-signs-immediately-seen-by-soak',
      promise: 'No request fails and every token verifies while keys change (docs/architecture.md)',
      file: 'lambdas/signing-keys/key-set-plan.ts',
      find: 'usableFrom.getTime() <= now.getTime()',
      replace: 'usableFrom.getTime() > 0',
      tests: ['test/long/rotation'],
    },
    {
      name: 'old-secret-never-ends-seen-by-soak',
      promise: 'An old secret is refused after its end, while secrets change (docs/operations.md)',
      file: 'lambdas/token/authenticate-client.ts',
      find: 'equal && now < endsAt',
      replace: 'equal && endsAt > 0',
      tests: ['test/long/rotation'],
    },
    {
      name: 'retired-key-unpublished-too-early',
      promise: 'A key stays published until its last token has expired (docs/architecture.md)',
      file: 'lambdas/signing-keys/key-set-plan.ts',
      find: 'return keyCacheSeconds + tokenLifetimeSeconds + keyCacheSeconds;',
      replace: 'return keyCacheSeconds;',
      tests: rotation,
    },
    {
      name: 'shorter-lifetime-forgets-older-tokens',
      promise: 'Tokens that were issued with a longer lifetime verify until they expire',
      file: 'lambdas/signing-keys/key-set-plan.ts',
      find: 'Math.max(before, tokenLifetimeSeconds)',
      replace: 'Math.max(0, tokenLifetimeSeconds)',
      tests: rotation,
    },
    {
      name: 'keys-written-before-key-set',
      promise: 'A key never signs before it is published',
      file: 'lambdas/signing-keys/ensure-keys.ts',
      find:
        '  await store.writeKeySet(firstKeySet(keys, now(), tokenLifetimeSeconds), replaces);\n' +
        '  await store.writeCurrent(keys, undefined);',
      replace:
        '  await store.writeCurrent(keys, undefined);\n' +
        '  await store.writeKeySet(firstKeySet(keys, now(), tokenLifetimeSeconds), replaces);',
      tests: rotation,
    },
    {
      name: 'revoked-key-stays-published',
      promise: 'A revoked key is removed from the key set immediately (docs/operations.md)',
      file: 'lambdas/signing-keys/revoke.ts',
      find: 'published.value.keys.filter((entry) => entry !== revoked)',
      replace: 'published.value.keys',
      tests: rotation,
    },
    {
      name: 'revocation-keeps-rotation',
      promise: 'A rotation in progress is given up by a revocation: the revoked key may be one of its keys',
      file: 'lambdas/signing-keys/revoke.ts',
      find: 'if (pending !== undefined) {',
      replace: "if (pending === '') {",
      tests: rotation,
    },
    {
      name: 'rotation-does-not-test-keys',
      promise: 'A key whose signatures do not verify never signs (Secrets Manager, testSecret)',
      file: 'lambdas/signing-keys/rotate.ts',
      find: '[pending.current, pending.next]',
      replace: '[pending.next]',
      tests: rotation,
    },
    {
      name: 'pending-version-kept',
      promise: 'A finished rotation does not block the next one',
      file: 'lambdas/signing-keys/rotate.ts',
      find: 'if (versions.pending === token) {',
      replace: "if (versions.pending === '') {",
      tests: [...rotation, 'test/local/signing-key-rotation.test.ts'],
    },
    {
      name: 'other-secret-rotated',
      promise: 'The function rotates no other secret than that of the signing keys',
      file: 'lambdas/signing-keys/handle-key-event.ts',
      find: 'event.SecretId !== dependencies.signingKeySecretArn',
      replace: "event.SecretId === ''",
      tests: rotation,
    },
    {
      name: 'keys-overwritten',
      promise: 'A rotation and a revocation at the same time cannot undo each other (docs/decisions/0013)',
      file: 'lambdas/signing-keys/secret-versions.ts',
      find: "await moveStage(client, secretArn, 'AWSCURRENT', { from: replaces, to: version });\n  } catch (error) {",
      replace:
        "await moveStage(client, secretArn, 'AWSCURRENT', { from: replaces, to: version });\n  } catch (error) {\n    if (error instanceof Error) {\n      return;\n    }",
      tests: [...rotation, 'test/local/signing-key-rotation.test.ts'],
    },
    {
      name: 'private-member-published',
      promise: 'The key set has public keys only (docs/api.md 10.4)',
      file: 'storage/signing-keys.ts',
      find: "? { kty: 'EC', crv: key.crv, x: key.x, y: key.y, kid, alg, use: 'sig' }",
      replace: "? { ...key, use: 'sig' }",
      tests: ['test/storage', ...rotation],
    },
    {
      name: 'retired-key-published-for-ever',
      promise: 'A retired key is published until its time is over (docs/storage.md)',
      file: 'storage/signing-keys.ts',
      find: 'until === undefined || now < Date.parse(until)',
      replace: 'until === undefined || now > 0',
      tests: ['test/lambdas/shared/verification-keys.test.ts', 'test/lambdas/well-known'],
    },
  ],
};
