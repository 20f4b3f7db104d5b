import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { propagationSeconds } from '../../../lambdas/signing-keys/key-set-plan.ts';
import { createPatience } from '../../../lambdas/signing-keys/patience.ts';
import { revokeKey } from '../../../lambdas/signing-keys/revoke.ts';
import { rotate } from '../../../lambdas/signing-keys/rotate.ts';
import { KeysChangedError } from '../../../lambdas/signing-keys/secret-versions.ts';
import { setUp } from './set-up.ts';

const day = 24 * 60 * 60;

async function deployed() {
  const setup = setUp();
  await setup.ensure();
  setup.pass(day);
  return { ...setup, revoke: (kid: string) => revokeKey(kid, setup.dependencies) };
}

describe('revoking a signing key', () => {
  test('that signs lets the next key sign immediately, and says which tokens die', async () => {
    const { store, keys, revoke, published, signer, lines } = await deployed();
    store.writes.length = 0;
    const before = await keys();
    expect(await revoke(before.current.kid)).toEqual({
      kid: before.current.kid,
      signing_kid: before.next.kid,
      revoked_at: '2026-02-01T09:00:00.000Z',
      rejected_from: '2026-02-01T09:05:00.000Z',
      rejected_by_clients_from: '2026-02-01T09:11:00.000Z',
      tokens_until: '2026-02-01T10:05:00.000Z',
    });
    const after = await keys();
    expect(published().toSorted()).toEqual([after.current.kid, after.next.kid].toSorted());
    expect(await signer()).toBe(before.next.kid);
    expect(store.writes).toEqual(['current', 'keySet']);
    expect(lines.at(-1)).toEqual({
      level: 'WARN',
      message: 'keyRevoked',
      kid: before.current.kid,
      signing_kid: before.next.kid,
    });
  });

  test('that is next puts a fresh one in its place', async () => {
    const { keys, revoke, published, signer } = await deployed();
    const before = await keys();
    await revoke(before.next.kid);
    const after = await keys();
    expect(await signer()).toBe(before.current.kid);
    expect(published()).not.toContain(before.next.kid);
    expect(published()).toContain(after.next.kid);
  });

  test('that is retired only takes it out of the set', async () => {
    const { keys, revoke, rotateAll, published } = await deployed();
    const retired = (await keys()).current.kid;
    await rotateAll('rotation-1');
    const before = await keys();
    await revoke(retired);
    expect(published()).not.toContain(retired);
    expect(await keys()).toEqual(before);
  });

  test('that signs while the current one waits lets the current one sign', async () => {
    const { keys, revoke, rotateAll, signer, published } = await deployed();
    await rotateAll('1');
    await rotateAll('2');
    const { previous, current } = await keys();
    const revocation = await revoke(previous?.kid ?? '');
    expect(revocation.signing_kid).toBe(current.kid);
    expect(await signer()).toBe(current.kid);
    expect(published()).not.toContain(previous?.kid);
  });

  test('that still waits to sign leaves the one that signs at it, until the next key is known', async () => {
    const { keys, revoke, rotateAll, signer, published, pass } = await deployed();
    await rotateAll('1');
    await rotateAll('2');
    const { previous, current, next } = await keys();
    const revocation = await revoke(current.kid);
    expect(revocation.signing_kid).toBe(previous?.kid);
    expect(published()).not.toContain(current.kid);
    pass(propagationSeconds - 1);
    expect(await signer()).toBe(previous?.kid);
    pass(1);
    expect(await signer()).toBe(next.kid);
    expect(published()).toContain(next.kid);
  });

  test('gives up a rotation under way, whose keys would bring it back', async () => {
    const { store, keys, revoke, step, rotateAll, published, dependencies } = await deployed();
    const before = await keys();
    await step('createSecret', 'rotation-1');
    await step('setSecret', 'rotation-1');
    await revoke(before.next.kid);
    expect(store.pending).toBeUndefined();
    await expect(rotate('finishSecret', 'rotation-1', dependencies)).rejects.toThrow('was given up');
    store.pending = 'rotation-1';
    await expect(step('finishSecret', 'rotation-1')).rejects.toThrow('changed since this rotation began');
    expect(published()).not.toContain(before.next.kid);
    await rotateAll('rotation-2');
    expect(published()).not.toContain(before.next.kid);
  });

  test.each(['current', 'next', 'pending'] as const)(
    'at the same time as a rotation: the %s key is gone in the end, whoever is quicker at each step',
    async (which) => {
      await fc.assert(
        fc.asyncProperty(fc.scheduler(), async (scheduler) => {
          const { store, keys, dependencies, rotateAll, published, signer } = await deployed();
          const { current, next } = await keys();
          store.begin('rotation-1');
          await rotate('createSecret', 'rotation-1', dependencies);
          await rotate('setSecret', 'rotation-1', dependencies);
          const pending = store.values.get('rotation-1')?.next;
          const { kid } = { current, next, pending: pending ?? next }[which];
          store.turn = (call) => scheduler.schedule(Promise.resolve(), call).then(() => undefined);
          const rotation = rotateAll('rotation-1').catch(() => undefined);
          // As the handler does: while the keys change meanwhile, it is tried again.
          const patiently = createPatience({ ...dependencies, sleep: async () => undefined });
          const keysChanged = (error: unknown) => error instanceof KeysChangedError;
          const revocation = patiently(() => revokeKey(kid, dependencies), keysChanged);
          await scheduler.waitFor(Promise.all([rotation, revocation]));
          store.turn = async () => undefined;

          expect(published()).not.toContain(kid);
          const left = await keys();
          expect([left.current.kid, left.next.kid, left.previous?.kid]).not.toContain(kid);
          expect(published()).toContain(await signer());
          await rotateAll('rotation-2');
          expect(published()).not.toContain(kid);
          expect(published()).toContain(await signer());
        }),
        { numRuns: 40 },
      );
    },
  );

  test('says of tokens with an earlier, longer lifetime when they end', async () => {
    const { keys, revoke, ensure, setTokenLifetime } = await deployed();
    setTokenLifetime(2 * day);
    await ensure();
    setTokenLifetime(60);
    const { tokens_until } = await revoke((await keys()).current.kid);
    expect(tokens_until).toBe('2026-02-03T09:05:00.000Z');
  });

  test('that is not in the key set, because that was lost, replaces it all the same', async () => {
    const { store, keys, revoke, published } = await deployed();
    const { current, next } = await keys();
    store.keySet = { keys: [] };
    expect(await revoke(current.kid)).toMatchObject({ tokens_until: '2026-02-01T10:05:00.000Z' });
    expect((await keys()).current.kid).toBe(next.kid);
    expect(published()).not.toContain(current.kid);
  });

  test('that does not exist, or without keys or key set, fails and writes nothing', async () => {
    const { store, keys, revoke } = await deployed();
    const { kid } = (await keys()).current;
    const { current, keySet } = store;
    store.writes.length = 0;
    await expect(revoke('unknown')).rejects.toThrow('There is no signing key with this id');
    for (const missing of [{ current: undefined }, { keySet: undefined }]) {
      Object.assign(store, { current, keySet }, missing);
      await expect(revoke(kid)).rejects.toThrow('There is no signing key with this id');
    }
    expect(store.writes).toEqual([]);
  });
});
