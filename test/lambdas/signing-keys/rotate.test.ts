import type { KeyStore } from '../../../lambdas/signing-keys/key-store.ts';
import { rotate, rotationSteps } from '../../../lambdas/signing-keys/rotate.ts';
import { KeysChangedError } from '../../../lambdas/signing-keys/secret-versions.ts';
import { publicJwk } from '../../../storage/signing-keys.ts';
import { day, deployed, firstWrites, setUp } from './set-up.ts';

describe('the first keys', () => {
  test('are published before they can sign', async () => {
    const { store } = await deployed();

    expect(store.writes).toEqual(firstWrites);
    const { current, next } = store.keys;
    expect(store.keySet.keys.map(({ jwk, state }) => [jwk.kid, state])).toEqual([
      [next.kid, 'next'],
      [current.kid, 'current'],
    ]);
    expect(JSON.stringify(store.keySet)).not.toContain('"d"');
  });

  test('are created once: a second deployment changes nothing', async () => {
    const { store, lines, ensure } = await deployed();
    await ensure();
    expect(store.writes).toEqual(firstWrites);
    expect(lines).toMatchObject([true, false].map((made) => ({ message: 'keysEnsured', made })));
  });

  test.for([0, 1, 2, 3, 4, 5])(
    'are there when a deployment that died after %i writes is repeated',
    async (writes) => {
      const { store, ensure, published } = setUp();
      store.writesLeft = writes;
      await expect(ensure()).rejects.toThrow('crash');

      store.writesLeft = Number.POSITIVE_INFINITY;
      await ensure();

      expect(published()).toEqual([store.keys.next.kid, store.keys.current.kid]);
    },
  );

  test.for([undefined, { keys: [] }])('are published again when the public secret is %j', async (set) => {
    const { store, ensure, published } = await deployed();
    store.keySet = set;

    await ensure();

    expect(published()).toEqual([store.keys.next.kid, store.keys.current.kid]);
  });
});

describe('a rotation', () => {
  test('logs its steps', async () => {
    const { lines, rotate } = await deployed();

    await rotate('rotation-1');

    const line = { level: 'INFO', message: 'rotationStep', version: 'rotation-1' };
    expect(lines.slice(1)).toEqual(rotationSteps.map((step) => ({ ...line, step })));
  });

  test('repeated step by step, and then again, ends where one pass ends', async () => {
    const { store, rotate, pass } = await deployed();
    pass(day);
    await rotate('rotation-1', ['createSecret']);
    const prepared = (await store.readVersion('rotation-1'))?.value;
    await rotate(
      'rotation-1',
      rotationSteps.flatMap((name) => [name, name]),
    );
    const ended = structuredClone([store.keySet, store.current]);
    pass(60);

    await rotate('rotation-1');

    expect([store.keySet, store.current]).toEqual(ended);
    expect(prepared).toMatchObject(store.keys);
    expect(store.holder('NEXT')).toBe(store.readable.next);
  });

  test('loses AWSPENDING last, so that a crash before is retried', async () => {
    const { store, rotate } = await deployed();
    await rotate('rotation-1');
    expect(store.writes.slice(-2)).toEqual(['keys NEXT', 'keys AWSPENDING']);
  });

  test('that is abandoned leaves no orphan', async () => {
    const { store, rotate, pass, published } = await deployed();
    const before = store.keys;
    await rotate('given-up', ['createSecret', 'setSecret']);
    const orphan = (await store.readVersion('given-up'))?.value.next?.kid;
    pass(30 * day);
    store.pending = undefined;

    await rotate('rotation-2');

    expect(published()).not.toContain(orphan);
    expect(published()).toContain(before.current.kid);
    expect(store.keys.current.kid).toBe(before.next.kid);
  });

  test.for(rotationSteps)('that was abandoned does nothing at %s', async (name) => {
    const { store, rotate, step } = await deployed();
    await rotate('rotation-1', ['createSecret']);
    store.pending = undefined;

    await expect(step(name, 'rotation-1')).rejects.toThrow('was given up');
    expect(store.writes).toEqual([...firstWrites, 'keys AWSPENDING']);
  });

  test('whose last write was lost is completed by the next deployment', async () => {
    const { store, rotate, ensure, pass } = await deployed();
    const old = store.keys.current.kid;
    pass(day);
    store.writesLeft = 7;
    await expect(rotate('rotation-1')).rejects.toThrow('crash');
    expect({ until: 'none', ...store.entry(old) }).toMatchObject({ state: 'retired', until: 'none' });

    store.writesLeft = Number.POSITIVE_INFINITY;
    await ensure();

    expect(store.entry(old)).toMatchObject({ state: 'retired', until: expect.any(String) });
  });

  test.for([
    ['signing keys', 'current', 'There are no signing keys yet'],
    ['a key set', 'keySet', 'There is no key set yet'],
  ] as const)('of a secret without %s fails', async ([, missing, message]) => {
    const { store, rotate } = await deployed();
    store[missing] = undefined;

    await expect(rotate('rotation-1')).rejects.toThrow(message);
  });

  test.for(['setSecret', 'finishSecret'] as const)('without prepared keys fails at %s', async (name) => {
    const { store, rotate } = await deployed();

    await expect(rotate('rotation-1', [name])).rejects.toThrow('has prepared no keys');
    expect(store.writes).toEqual(firstWrites);
  });

  // Secrets Manager tests a schedule with this event.
  test.for([
    ['that is missing', undefined],
    ['without a value', 'version'],
  ] as const)('of a version %s tests the keys that sign', async ([, pending]) => {
    const { store, step, lines } = await deployed();
    store.begin('version');
    store.pending = pending;

    await step('testSecret', 'version');

    expect(store.writes).toEqual(firstWrites);
    expect(lines.at(-1)).toMatchObject({ message: 'scheduleTested' });
    store.keySet = { keys: [] };
    await expect(step('testSecret', 'version')).rejects.toThrow('is not published');
  });

  test('prepares nothing from a copy of the current keys', async () => {
    const { store, rotate } = await deployed();
    store.add('test', store.text);

    await rotate('test', ['testSecret']);
    expect(store.pending).toBe('test');
    await expect(rotate('test', ['createSecret'])).rejects.toThrow('was given up');
    expect(store.pending).toBeUndefined();
  });

  test('that is finished again leaves the rotation alone that began meanwhile', async () => {
    const { store, rotate, step } = await deployed();
    await rotate('rotation-1');
    await rotate('rotation-2', ['createSecret']);

    await step('finishSecret', 'rotation-1');

    expect(store.pending).toBe('rotation-2');
  });

  test('publishes nothing of the replaced keys, which a late read shows', async () => {
    const { store, rotate: begin, step, dependencies } = await deployed();
    const replaced = await store.readCurrent();
    await begin('rotation-1', ['createSecret', 'setSecret', 'testSecret']);
    const late: KeyStore = {
      ...store,
      readCurrent: async () => (store.current === 'rotation-1' ? replaced : store.readCurrent()),
    };

    const finish = rotate('finishSecret', 'rotation-1', { ...dependencies, store: late });
    await expect(finish).rejects.toBeInstanceOf(KeysChangedError);
    expect(store.pending).toBe('rotation-1');

    // The rotation is retried when the read is no longer stale.
    await step('finishSecret', 'rotation-1');
    expect(store.pending).toBeUndefined();
    expect(store.keys.current.kid).toBe(replaced?.value.next?.kid);
  });

  test('whose published key is another one fails its test', async () => {
    const { store, rotate } = await deployed();
    await rotate('rotation-1', ['createSecret', 'setSecret']);
    const { current, next } = store.keys;
    const other = { ...publicJwk(current), kid: next.kid };
    const changed = store.keySet.keys.map(({ jwk, ...it }) => ({
      ...it,
      jwk: jwk.kid === next.kid ? other : jwk,
    }));
    store.keySet = { keys: changed };

    await expect(rotate('rotation-1', ['testSecret'])).rejects.toThrow('signature verification failed');
  });
});
