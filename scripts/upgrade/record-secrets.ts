import { setUp } from '../../test/lambdas/signing-keys/set-up.ts';
import { createStandIns } from './stand-ins.ts';
import type { Recorded } from './stored-items.ts';

const hour = 3600;

/**
 * What this version stores in the two secrets, at each step of the life of the keys. The rotation of the functions
 * writes it, with real keys; then every value of a key is replaced by one that is none.
 */
export async function recordSecrets(): Promise<{ 'signing-keys.json': Recorded; 'key-set.json': Recorded }> {
  const rotation = setUp();
  const keys: Record<string, unknown> = {};
  const sets: Record<string, unknown> = {};
  const note = async (name: string) => {
    keys[name] = structuredClone(await rotation.keys());
    sets[name] = structuredClone(rotation.store.keySet);
  };

  await rotation.ensure();
  await note('first keys');
  rotation.pass(24 * hour);
  await rotation.step('createSecret', 'rotation-1');
  await rotation.step('setSecret', 'rotation-1');
  keys['prepared by a rotation'] = structuredClone(rotation.store.values.get('rotation-1'));
  sets['published, before the rotation ends'] = structuredClone(rotation.store.keySet);
  await rotation.rotateAll('rotation-1');
  await note('after a rotation');
  rotation.setAlgorithm('RS256');
  await rotation.rotateAll('rotation-2');
  await note('after two rotations in a row, the second with a key of RS256');
  const standIns = createStandIns();
  return { 'signing-keys.json': standIns(keys) as Recorded, 'key-set.json': standIns(sets) as Recorded };
}
