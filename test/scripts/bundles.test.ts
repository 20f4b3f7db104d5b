import { expect, it } from 'vitest';
import { renderBundles } from '../../scripts/documents/bundles.ts';

const bundles = new Map([
  [
    'one',
    new Map([
      ['small', 400],
      ['large', 5000],
      ['(esbuild)', 700],
    ]),
  ],
  [
    'two',
    new Map([
      ['large', 1024],
      ['middle', 2048],
    ]),
  ],
]);
const reasons = { small: 'Is small', large: 'Is large', middle: 'Is between' };

it('the page of the bundles has a row for each package of half a KiB, the largest first, and the sums', () => {
  const rows = renderBundles(bundles, reasons)
    .split('\n')
    .filter((line) => line.startsWith('|'));
  expect(rows).toEqual([
    '| Package | `one` | `two` | Why it is there |',
    '|---|--:|--:|---|',
    '| **All** | 6 | 3 | |',
    '| large | 5 | 1 | Is large |',
    '| middle | | 2 | Is between |',
  ]);
});

it('the page of the bundles cannot be made when a package has no reason, however small it is', () => {
  const { small, ...others } = reasons;
  expect(small).toBe('Is small');
  expect(() => renderBundles(bundles, others)).toThrow(/Without a reason: small\./);
});

it('the page of the bundles cannot be made when a reason has no package', () => {
  expect(() => renderBundles(bundles, { ...reasons, gone: 'Was there' })).toThrow(/Not in any bundle: gone$/);
});
