import { expect, it } from 'vitest';
import { awsFacts } from '../../../tools/verify/probes/facts.ts';
import { probes } from '../../../tools/verify/probes/probes.ts';

it('docs/aws-facts.md says "yes" to exactly the facts that have a probe, and has no row twice', () => {
  const ids = awsFacts.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)]);
  expect(ids.length).toBeGreaterThan(30);
  const probed = awsFacts.filter(({ isProbed }) => isProbed).map(({ id }) => id);
  expect(probes.map(({ fact }) => fact).sort()).toEqual(probed.sort());
});
