import { describe, expect, test } from 'vitest';
import { retentionSeconds } from '../../../lambdas/signing-keys/key-set-plan.ts';
import type { KeyStore } from '../../../lambdas/signing-keys/key-store.ts';
import { revokeKey } from '../../../lambdas/signing-keys/revoke.ts';
import { rotate, rotationSteps } from '../../../lambdas/signing-keys/rotate.ts';
import { KeysChangedError } from '../../../lambdas/signing-keys/secret-versions.ts';
import { setUp } from './set-up.ts';

const day = 24 * 60 * 60;

describe('the first keys', () => {
  test('are published before they can sign', async () => {
    const { store, ensure, keys } = setUp();
    await ensure();
    expect(store.writes).toEqual(['keySet', 'current']);
    const { current, next } = await keys();
    expect(store.keySet?.keys.map(({ jwk, state }) => [jwk.kid, state])).toEqual([
      [next.kid, 'next'],
      [current.kid, 'current'],
    ]);
    expect(JSON.stringify(store.keySet)).not.toContain('"d"');
  });

  test('are made once: a second deploy changes nothing', async () => {
    const { store, ensure, lines } = setUp();
    await ensure();
    const before = structuredClone({ set: store.keySet, current: store.current });
    await ensure();
    expect(lines.map(({ message, made }) => [message, made])).toEqual([
      ['keysEnsured', true],
      ['keysEnsured', false],
    ]);
    expect({ set: store.keySet, current: store.current }).toEqual(before);
    expect(store.writes).toHaveLength(2);
  });

  test.each([0, 1])('are there after a deploy that died after %i writes is repeated', async (writes) => {
    const { store, ensure, keys, published } = setUp();
    store.writesLeft = writes;
    await expect(ensure()).rejects.toThrow('crash');
    store.writesLeft = Number.POSITIVE_INFINITY;
    await ensure();
    const { current, next } = await keys();
    expect(published().toSorted()).toEqual([current.kid, next.kid].toSorted());
  });

  test('are published again when the public secret was lost', async () => {
    const { store, ensure, keys, published } = setUp();
    await ensure();
    store.keySet = undefined;
    await ensure();
    const { current, next } = await keys();
    expect(published()).toEqual(expect.arrayContaining([current.kid, next.kid]));
    store.keySet = { keys: [] };
    await ensure();
    expect(published()).toEqual(expect.arrayContaining([current.kid, next.kid]));
  });
});

describe('a rotation', () => {
  test('lets the key sign that was published a whole period before, and publishes a fresh next one', async () => {
    const { ensure, pass, rotateAll, keys, entry, signer, lines } = setUp();
    await ensure();
    const before = await keys();
    pass(90 * day);
    await rotateAll('rotation-1');
    const after = await keys();
    expect(after.current.kid).toBe(before.next.kid);
    expect(after).not.toHaveProperty('previous');
    expect(await signer()).toBe(before.next.kid);
    expect(entry(after.next.kid)?.state).toBe('next');
    expect(entry(after.current.kid)?.state).toBe('current');
    expect(entry(before.current.kid)?.state).toBe('retired');
    expect(lines.slice(1)).toEqual(
      rotationSteps.map((step) => ({
        level: 'INFO',
        message: 'rotationStep',
        step,
        version: 'rotation-1',
      })),
    );
  });

  test('repeated step by step, each twice and then all again, ends where one pass ends', async () => {
    const { store, ensure, step, rotateAll, pass } = setUp();
    await ensure();
    pass(day);
    await step('createSecret', 'rotation-1');
    const prepared = structuredClone(store.values.get('rotation-1'));
    for (const name of rotationSteps) {
      await step(name, 'rotation-1');
      await step(name, 'rotation-1');
    }
    const ended = structuredClone({ set: store.keySet, current: store.current });
    pass(60);
    await rotateAll('rotation-1');
    expect({ set: store.keySet, current: store.current }).toEqual(ended);
    expect(store.values.get(store.current ?? '')).toEqual(prepared);
  });

  test('that is given up leaves no orphan: the next one starts from the keys that sign', async () => {
    const { store, ensure, step, rotateAll, keys, published, pass } = setUp();
    await ensure();
    const before = await keys();
    pass(day);
    await step('createSecret', 'given-up');
    await step('setSecret', 'given-up');
    const orphan = store.values.get('given-up')?.next.kid;
    pass(30 * day);
    expect(published()).toContain(before.current.kid);
    store.pending = undefined;
    await rotateAll('rotation-2');
    expect(published()).not.toContain(orphan);
    expect((await keys()).current.kid).toBe(before.next.kid);
    expect(published()).toContain(before.current.kid);
  });

  test('that another operation overtook is given up, and does not stand in the way of the next one', async () => {
    const { store, ensure, step, rotateAll, dependencies, keys } = setUp();
    await ensure();
    await step('createSecret', 'rotation-1');
    const { next } = await keys();
    await revokeKey(next.kid, dependencies);
    store.pending = 'rotation-1';
    await expect(step('setSecret', 'rotation-1')).rejects.toThrow('changed since this rotation began');
    await rotateAll('rotation-2');
    expect(store.current).toBe('rotation-2');
  });

  test('that was given up does nothing', async () => {
    const { store, ensure, step, dependencies } = setUp();
    await ensure();
    await step('createSecret', 'rotation-1');
    store.pending = undefined;
    const before = store.writes.length;
    for (const name of rotationSteps) {
      await expect(rotate(name, 'rotation-1', dependencies)).rejects.toThrow('was given up');
    }
    expect(store.writes).toHaveLength(before);
  });

  test('whose last write was lost is completed by the next deployment', async () => {
    const { store, ensure, rotateAll, keys, entry, pass } = setUp();
    await ensure();
    const old = (await keys()).current.kid;
    pass(day);
    store.writesLeft = 4;
    await expect(rotateAll('rotation-1')).rejects.toThrow('crash');
    expect(store.current).toBe('rotation-1');
    expect(entry(old)).not.toHaveProperty('until');
    store.writesLeft = Number.POSITIVE_INFINITY;
    await ensure();
    expect(entry(old)).toMatchObject({ state: 'retired', until: expect.any(String) });
  });

  test('keeps the old key published for tokens of an earlier, longer lifetime', async () => {
    const { ensure, setTokenLifetime, rotateAll, keys, published, pass } = setUp();
    setTokenLifetime(day);
    await ensure();
    const old = (await keys()).current.kid;
    setTokenLifetime(60);
    await ensure();
    await rotateAll('rotation-1');
    pass(retentionSeconds(day) - 1);
    expect(published()).toContain(old);
    pass(1);
    expect(published()).not.toContain(old);
  });

  test('of a secret that has no keys yet, or without a key set, fails and says so', async () => {
    const { store, ensure, step } = setUp();
    await expect(step('createSecret', 'rotation-1')).rejects.toThrow('There are no signing keys yet');
    await ensure();
    store.keySet = undefined;
    await expect(step('createSecret', 'rotation-1')).rejects.toThrow('There is no key set yet');
  });

  test('that has prepared no keys publishes nothing, and finishes nothing', async () => {
    const { store, ensure, step } = setUp();
    await ensure();
    const before = store.writes.length;
    for (const name of ['setSecret', 'finishSecret'] as const) {
      await expect(step(name, 'rotation-1')).rejects.toThrow('has prepared no keys');
    }
    expect(store.writes).toHaveLength(before);
  });

  test('without prepared keys tests the keys that sign, for Secrets Manager tests a schedule so', async () => {
    const { store, ensure, dependencies, lines } = setUp();
    await ensure();
    const before = store.writes.length;
    await rotate('testSecret', 'version that is missing', dependencies);
    store.begin('version without a value');
    await rotate('testSecret', 'version without a value', dependencies);
    expect(store.writes).toHaveLength(before);
    expect(lines.at(-1)).toMatchObject({ message: 'scheduleTested' });
    store.keySet = { keys: [] };
    await expect(rotate('testSecret', 'version without a value', dependencies)).rejects.toThrow(
      'is not published',
    );
  });

  test('that is finished again leaves the rotation alone that began meanwhile', async () => {
    const { store, ensure, step, rotateAll, dependencies } = setUp();
    await ensure();
    await rotateAll('rotation-1');
    await step('createSecret', 'rotation-2');
    await rotate('finishSecret', 'rotation-1', dependencies);
    expect(store.pending).toBe('rotation-2');
  });

  test('with a copy of the current keys passes its test, and then prepares nothing from the copy', async () => {
    const { store, ensure, dependencies, rotateAll, keys } = setUp();
    await ensure();
    const before = await keys();
    store.begin('test');
    store.values.set('test', before);
    await rotate('testSecret', 'test', dependencies);
    expect(store.pending).toBe('test');
    await expect(rotate('createSecret', 'test', dependencies)).rejects.toThrow('was given up');
    expect(store.pending).toBeUndefined();
    await rotateAll('rotation-1');
    expect((await keys()).current.kid).toBe(before.next.kid);
  });

  test('that reads the replaced keys once more after it promoted others publishes nothing of them', async () => {
    const { store, ensure, step, dependencies, keys } = setUp();
    await ensure();
    const replaced = await store.readCurrent();
    for (const name of ['createSecret', 'setSecret', 'testSecret'] as const) {
      await step(name, 'rotation-1');
    }
    let isPromoted = false;
    const late: KeyStore = {
      ...store,
      promote: async (...change) => {
        await store.promote(...change);
        isPromoted = true;
      },
      readCurrent: async () => (isPromoted ? replaced : store.readCurrent()),
    };
    await expect(
      rotate('finishSecret', 'rotation-1', { ...dependencies, store: late }),
    ).rejects.toBeInstanceOf(KeysChangedError);
    expect(store.pending).toBe('rotation-1');
    // Tried again, when the read is no longer late.
    await rotate('finishSecret', 'rotation-1', dependencies);
    expect(store.pending).toBeUndefined();
    expect((await keys()).current.kid).not.toBe(replaced?.value.current.kid);
  });

  test('whose published key is another one fails its test', async () => {
    const { store, ensure, step, keys } = setUp();
    await ensure();
    await step('createSecret', 'rotation-1');
    await step('setSecret', 'rotation-1');
    const { current, next } = await keys();
    const [mine, other] = [next.kid, current.kid].map((kid) =>
      store.keySet?.keys.find(({ jwk }) => jwk.kid === kid),
    );
    if (!mine || !other) {
      throw new Error('not published');
    }
    Object.assign(mine.jwk, { ...other.jwk, kid: mine.jwk.kid });
    await expect(step('testSecret', 'rotation-1')).rejects.toThrow('signature verification failed');
  });
});
