import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ensureKeys } from '../../../lambdas/signing-keys/ensure-keys.ts';
import { createPatience } from '../../../lambdas/signing-keys/patience.ts';
import { revokeKey } from '../../../lambdas/signing-keys/revoke.ts';
import { rotate } from '../../../lambdas/signing-keys/rotate.ts';
import { KeysChangedError } from '../../../lambdas/signing-keys/secret-versions.ts';
import { day, deployed } from './set-up.ts';

/** The first keys, a day old. */
async function aDayLater() {
  const parts = await deployed();
  const { store, clock, dependencies, pass } = parts;
  pass(day);
  store.writes.length = 0;
  return {
    ...parts,
    revoke: (kid: string) => revokeKey(kid, dependencies),
    published: () => store.published(clock.time),
    signer: () => store.keys.current.kid,
  };
}

describe('revoking a signing key', () => {
  test('that signs lets the next key sign immediately, and says which tokens die', async () => {
    const { store, revoke, published, signer, lines } = await aDayLater();
    const { current, next } = store.keys;
    expect(await revoke(current.kid)).toEqual({
      kid: current.kid,
      signing_kid: next.kid,
      revoked_at: '2026-02-01T09:00:00.000Z',
      rejected_from: '2026-02-01T09:05:00.000Z',
      rejected_by_clients_from: '2026-02-01T09:11:00.000Z',
      tokens_until: '2026-02-01T10:05:00.000Z',
    });
    expect(published()).toEqual([store.keys.next.kid, next.kid]);
    expect(signer()).toBe(next.kid);
    expect(store.writes).toEqual(['current', 'keySet']);
    const line = { level: 'WARN', message: 'keyRevoked', kid: current.kid, signing_kid: next.kid };
    expect(lines.at(-1)).toEqual(line);
  });

  test('that is next puts a fresh one in its place', async () => {
    const { store, revoke, published, signer } = await aDayLater();
    const { current, next } = store.keys;
    await revoke(next.kid);
    expect(signer()).toBe(current.kid);
    expect(store.keys.next.kid).not.toBe(next.kid);
    expect(published()).toEqual([store.keys.next.kid, current.kid]);
  });

  test('that is retired only takes it out of the set', async () => {
    const { store, revoke, rotate, published } = await aDayLater();
    const retired = store.keys.current.kid;
    await rotate('rotation-1');
    const before = store.keys;
    await revoke(retired);
    expect(published()).not.toContain(retired);
    expect(store.keys).toEqual(before);
  });

  test('gives up a rotation under way, whose keys would bring it back', async () => {
    const { store, revoke, rotate: begin, published, dependencies } = await aDayLater();
    const { kid } = store.keys.next;
    await begin('rotation-1', ['createSecret', 'setSecret']);
    await revoke(kid);
    expect(store.pending).toBeUndefined();
    await expect(rotate('finishSecret', 'rotation-1', dependencies)).rejects.toThrow('was given up');
    const changed = 'changed since this rotation began';
    await expect(begin('rotation-1', ['finishSecret'])).rejects.toThrow(changed);
    await begin('rotation-2');
    expect(published()).not.toContain(kid);
  });

  test.each(['current', 'next', 'pending'] as const)(
    'at the same time as a rotation: the %s key is gone in the end, whoever is quicker at each step',
    async (which) => {
      await fc.assert(
        fc.asyncProperty(fc.scheduler(), async (scheduler) => {
          const { store, dependencies, rotate: begin, published, signer } = await aDayLater();
          const { current, next } = store.keys;
          await begin('rotation-1', ['createSecret', 'setSecret']);
          const pending = store.values.get('rotation-1')?.next ?? next;
          const { kid } = { current, next, pending }[which];
          store.turn = (call) => scheduler.schedule(Promise.resolve(), call).then(() => undefined);
          const rotation = begin('rotation-1').catch(() => undefined);
          // As the handler does: when the keys change meanwhile, the revocation is tried again.
          const patiently = createPatience({ ...dependencies, sleep: async () => undefined });
          const keysChanged = (error: unknown) => error instanceof KeysChangedError;
          const revocation = patiently(() => revokeKey(kid, dependencies), keysChanged);
          await scheduler.waitFor(Promise.all([rotation, revocation]));
          store.turn = async () => undefined;

          expect(published()).not.toContain(kid);
          const left = store.keys;
          expect([left.current.kid, left.next.kid]).not.toContain(kid);
          expect(published()).toContain(signer());
          await begin('rotation-2');
          expect(published()).not.toContain(kid);
          expect(published()).toContain(signer());
        }),
        { numRuns: 40 },
      );
    },
  );

  test('says of tokens with an earlier, longer lifetime when they end', async () => {
    const { store, revoke, dependencies } = await aDayLater();
    dependencies.tokenLifetimeSeconds = 2 * day;
    await ensureKeys(dependencies);
    dependencies.tokenLifetimeSeconds = 60;
    const { tokens_until } = await revoke(store.keys.current.kid);
    expect(tokens_until).toBe('2026-02-03T09:05:00.000Z');
  });

  test('that is not in the key set, because that was lost, replaces it all the same', async () => {
    const { store, revoke, published } = await aDayLater();
    const { current, next } = store.keys;
    store.keySet = { keys: [] };
    expect(await revoke(current.kid)).toMatchObject({ tokens_until: '2026-02-01T10:05:00.000Z' });
    expect(store.keys.current.kid).toBe(next.kid);
    expect(published()).not.toContain(current.kid);
  });

  test('that does not exist, or without keys or key set, fails and writes nothing', async () => {
    const { store, revoke } = await aDayLater();
    const { kid } = store.keys.current;
    const { current, keySet } = store;
    await expect(revoke('unknown')).rejects.toThrow('There is no signing key with this id');
    for (const missing of [{ current: undefined }, { keySet: undefined }]) {
      Object.assign(store, { current, keySet }, missing);
      await expect(revoke(kid)).rejects.toThrow('There is no signing key with this id');
    }
    expect(store.writes).toEqual([]);
  });
});
