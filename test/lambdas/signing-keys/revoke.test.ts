import { revokeKeys } from '../../../lambdas/signing-keys/revoke.ts';
import { day, deployed } from './set-up.ts';

/** The first keys, a day old. */
async function aDayLater() {
  const parts = await deployed();
  parts.pass(day);
  parts.store.writes.length = 0;
  return { ...parts, revoke: (kid: string) => revokeKeys(kid, parts.dependencies, (attempt) => attempt()) };
}

describe('revoking a signing key', () => {
  test('that signs lets the next key sign immediately', async () => {
    const { store, revoke, published, lines } = await aDayLater();
    const { current, next } = store.keys;
    const times = {
      revoked_at: '2026-02-01T09:00:00.000Z',
      rejected_from: '2026-02-01T09:05:00.000Z',
      rejected_by_clients_from: '2026-02-01T09:11:00.000Z',
      tokens_until: '2026-02-01T10:05:00.000Z',
    };
    expect(await revoke(current.kid)).toEqual([{ kid: current.kid, signing_kid: next.kid, ...times }]);
    expect(published()).toEqual([store.keys.next.kid, next.kid]);
    expect(store.keys.current.kid).toBe(next.kid);
    expect(store.writes).toEqual(['keys AWSCURRENT', 'keys NEXT', 'set AWSCURRENT']);
    const line = { level: 'WARN', message: 'keyRevoked', kid: current.kid, signing_kid: next.kid };
    expect(lines.at(-1)).toEqual(line);
  });

  test('of all keys replaces both, and leaves none in the set', async () => {
    const { store, revoke, rotate, published, pass } = await aDayLater();
    const first = published();
    await rotate('rotation-1');
    pass(day / 100);
    const { next } = store.keys;
    const revoked = await revoke('all');
    expect(revoked.map(({ kid }) => kid).toSorted()).toEqual([...new Set([...first, next.kid])].toSorted());
    expect(new Set(revoked.map(({ signing_kid }) => signing_kid))).toEqual(new Set([store.keys.current.kid]));
    expect(published()).toEqual([store.keys.next.kid, store.keys.current.kid]);
  });

  test('of which the next one was lost signs with a fresh one', async () => {
    const { store, revoke, published } = await aDayLater();
    const { current, next } = store.keys;
    store.loseNext();
    await revoke(current.kid);
    expect([current.kid, next.kid]).not.toContain(store.keys.current.kid);
    expect(published()).toContain(store.keys.current.kid);
  });

  test('of a retired key only removes it from the set', async () => {
    const { store, revoke, rotate, published } = await aDayLater();
    const retired = store.keys.current.kid;
    await rotate('rotation-1');
    const before = store.keys;
    await revoke(retired);
    expect(published()).not.toContain(retired);
    expect(store.keys).toEqual(before);
  });

  test('returns the end of tokens with an earlier, longer lifetime', async () => {
    const { store, revoke, ensure, dependencies } = await aDayLater();
    dependencies.tokenLifetimeSeconds = 2 * day;
    await ensure();
    dependencies.tokenLifetimeSeconds = 60;
    const [revocation] = await revoke(store.keys.current.kid);
    expect(revocation?.tokens_until).toBe('2026-02-03T09:05:00.000Z');
  });

  test('that a lost key set does not show replaces it all the same', async () => {
    const { store, revoke, published } = await aDayLater();
    const { current, next } = store.keys;
    store.keySet = { keys: [] };
    expect(await revoke(current.kid)).toMatchObject([{ tokens_until: '2026-02-01T10:05:00.000Z' }]);
    expect(store.keys.current.kid).toBe(next.kid);
    expect(published()).not.toContain(current.kid);
  });

  test.for([
    ['that does not exist', 'unknown', {}],
    ['without keys', 'current', { current: undefined }],
    ['without a key set', 'current', { keySet: undefined }],
  ] as const)('%s fails and writes nothing', async ([, which, missing]) => {
    const { store, revoke } = await aDayLater();
    const kid = { unknown: 'unknown', current: store.keys.current.kid }[which];
    Object.assign(store, missing);

    await expect(revoke(kid)).rejects.toThrow('There is no signing key with this id');
    expect(store.writes).toEqual([]);
  });
});
