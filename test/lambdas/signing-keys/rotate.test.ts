import { describe, expect, test } from 'vitest';
import { ensureKeys } from '../../../lambdas/signing-keys/ensure-keys.ts';
import type { KeyStore } from '../../../lambdas/signing-keys/key-store.ts';
import { rotate, rotationSteps } from '../../../lambdas/signing-keys/rotate.ts';
import { KeysChangedError } from '../../../lambdas/signing-keys/secret-versions.ts';
import { day, deployed, setUp } from './set-up.ts';

describe('the first keys', () => {
  test('are published before they can sign, and made once: a second deploy changes nothing', async () => {
    const { store, lines, dependencies } = await deployed();
    expect(store.writes).toEqual(['keySet', 'current']);
    const { current, next } = store.keys;
    expect(store.keySet?.keys.map(({ jwk, state }) => [jwk.kid, state])).toEqual([
      [next.kid, 'next'],
      [current.kid, 'current'],
    ]);
    expect(JSON.stringify(store.keySet)).not.toContain('"d"');
    await ensureKeys(dependencies);
    expect(store.writes).toEqual(['keySet', 'current']);
    expect(lines.map(({ message, made }) => [message, made])).toEqual([
      ['keysEnsured', true],
      ['keysEnsured', false],
    ]);
  });

  test('are there after a deploy that died after a write is repeated', async () => {
    for (const writes of [0, 1]) {
      const { store, clock, dependencies } = setUp();
      store.writesLeft = writes;
      await expect(ensureKeys(dependencies)).rejects.toThrow('crash');
      store.writesLeft = Number.POSITIVE_INFINITY;
      await ensureKeys(dependencies);
      expect(store.published(clock.time)).toEqual([store.keys.next.kid, store.keys.current.kid]);
    }
  });

  test('are published again when the public secret was lost', async () => {
    const { store, clock, dependencies } = await deployed();
    for (const lost of [undefined, { keys: [] }]) {
      store.keySet = lost;
      await ensureKeys(dependencies);
      expect(store.published(clock.time)).toEqual([store.keys.next.kid, store.keys.current.kid]);
    }
  });
});

describe('a rotation', () => {
  test('lets the key sign that was published a whole period before, and publishes a fresh next one', async () => {
    const { store, lines, pass, rotate } = await deployed();
    const before = store.keys;
    pass(90 * day);
    await rotate('rotation-1');
    const after = store.keys;
    expect(after.current.kid).toBe(before.next.kid);
    expect([after.next, after.current, before.current].map(({ kid }) => store.entry(kid)?.state)).toEqual([
      'next',
      'current',
      'retired',
    ]);
    const line = { level: 'INFO', message: 'rotationStep', version: 'rotation-1' };
    expect(lines.slice(1)).toEqual(rotationSteps.map((step) => ({ ...line, step })));
  });

  test('repeated step by step, each twice and then all again, ends where one pass ends', async () => {
    const { store, rotate, pass } = await deployed();
    pass(day);
    await rotate('rotation-1', ['createSecret']);
    const prepared = structuredClone(store.values.get('rotation-1'));
    for (const name of rotationSteps) {
      await rotate('rotation-1', [name, name]);
    }
    const ended = structuredClone({ set: store.keySet, current: store.current });
    pass(60);
    await rotate('rotation-1');
    expect({ set: store.keySet, current: store.current }).toEqual(ended);
    expect(store.keys).toEqual(prepared);
  });

  test('that is given up leaves no orphan: the next one starts from the keys that sign', async () => {
    const { store, clock, rotate, pass } = await deployed();
    const before = store.keys;
    await rotate('given-up', ['createSecret', 'setSecret']);
    const orphan = store.values.get('given-up')?.next.kid;
    pass(30 * day);
    store.pending = undefined;
    await rotate('rotation-2');
    expect(store.published(clock.time)).not.toContain(orphan);
    expect(store.published(clock.time)).toContain(before.current.kid);
    expect(store.keys.current.kid).toBe(before.next.kid);
  });

  test('that was given up does nothing', async () => {
    const { store, rotate: begin, dependencies } = await deployed();
    await begin('rotation-1', ['createSecret']);
    store.pending = undefined;
    const before = store.writes.length;
    for (const name of rotationSteps) {
      await expect(rotate(name, 'rotation-1', dependencies)).rejects.toThrow('was given up');
    }
    expect(store.writes).toHaveLength(before);
  });

  test('whose last write was lost is completed by the next deployment', async () => {
    const { store, rotate, dependencies, pass } = await deployed();
    const old = store.keys.current.kid;
    pass(day);
    store.writesLeft = 4;
    await expect(rotate('rotation-1')).rejects.toThrow('crash');
    expect(store.current).toBe('rotation-1');
    expect(store.entry(old)).not.toHaveProperty('until');
    store.writesLeft = Number.POSITIVE_INFINITY;
    await ensureKeys(dependencies);
    expect(store.entry(old)).toMatchObject({ state: 'retired', until: expect.any(String) });
  });

  test('of a secret that has no keys yet, or without a key set, fails and says so', async () => {
    const { store, dependencies } = setUp();
    store.begin('rotation-1');
    const create = () => rotate('createSecret', 'rotation-1', dependencies);
    await expect(create()).rejects.toThrow('There are no signing keys yet');
    await ensureKeys(dependencies);
    store.keySet = undefined;
    await expect(create()).rejects.toThrow('There is no key set yet');
  });

  test('that has prepared no keys publishes nothing, and finishes nothing', async () => {
    const { store, rotate } = await deployed();
    for (const name of ['setSecret', 'finishSecret'] as const) {
      await expect(rotate('rotation-1', [name])).rejects.toThrow('has prepared no keys');
    }
    expect(store.writes).toEqual(['keySet', 'current']);
  });

  test('without prepared keys tests the keys that sign, for Secrets Manager tests a schedule so', async () => {
    const { store, dependencies, lines } = await deployed();
    await rotate('testSecret', 'version that is missing', dependencies);
    store.begin('version without a value');
    await rotate('testSecret', 'version without a value', dependencies);
    expect(store.writes).toEqual(['keySet', 'current']);
    expect(lines.at(-1)).toMatchObject({ message: 'scheduleTested' });
    store.keySet = { keys: [] };
    const test = rotate('testSecret', 'version without a value', dependencies);
    await expect(test).rejects.toThrow('is not published');
  });

  test('with a copy of the current keys passes its test, and then prepares nothing from the copy', async () => {
    const { store, rotate } = await deployed();
    store.values.set('test', store.keys);
    await rotate('test', ['testSecret']);
    expect(store.pending).toBe('test');
    await expect(rotate('test', ['createSecret'])).rejects.toThrow('was given up');
    expect(store.pending).toBeUndefined();
  });

  test('that is finished again leaves the rotation alone that began meanwhile', async () => {
    const { store, rotate: begin, dependencies } = await deployed();
    await begin('rotation-1');
    await begin('rotation-2', ['createSecret']);
    await rotate('finishSecret', 'rotation-1', dependencies);
    expect(store.pending).toBe('rotation-2');
  });

  test('that reads the replaced keys once more after it promoted others publishes nothing of them', async () => {
    const { store, rotate: begin, dependencies } = await deployed();
    const replaced = await store.readCurrent();
    await begin('rotation-1', ['createSecret', 'setSecret', 'testSecret']);
    const late: KeyStore = {
      ...store,
      readCurrent: async () => (store.writes.includes('promote') ? replaced : store.readCurrent()),
    };
    const finish = rotate('finishSecret', 'rotation-1', { ...dependencies, store: late });
    await expect(finish).rejects.toBeInstanceOf(KeysChangedError);
    expect(store.pending).toBe('rotation-1');
    // The rotation is tried again, when the read is no longer late.
    await rotate('finishSecret', 'rotation-1', dependencies);
    expect(store.pending).toBeUndefined();
    expect(store.keys.current.kid).toBe(replaced?.value.next.kid);
  });

  test('whose published key is another one fails its test', async () => {
    const { store, rotate } = await deployed();
    await rotate('rotation-1', ['createSecret', 'setSecret']);
    const { current, next } = store.keys;
    Object.assign(store.entry(next.kid)?.jwk ?? {}, { ...store.entry(current.kid)?.jwk, kid: next.kid });
    await expect(rotate('rotation-1', ['testSecret'])).rejects.toThrow('signature verification failed');
  });
});
