import { expect, it } from 'vitest';
import { probes } from '../../verify/probes/probes.ts';
import { awsFacts } from './facts.ts';

it('verify checks exactly the facts that say so, each by one probe', () => {
  const checked = awsFacts.filter(({ verify }) => verify).map(({ id }) => id);
  expect(probes.map(({ fact }) => fact).sort()).toEqual([...checked].sort());
});
