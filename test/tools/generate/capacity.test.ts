import { settings } from '../../../lib/settings.ts';
import { ceilings } from '../../../tools/generate/capacity.ts';

/** Tests the limits in docs/cost.md: the AWS quotas that uploads reach first. */

const { syncRateLimit, tokenRateLimit } = settings;

test.for(['new', 'replacing', 'unused'])(
  'by default, %s uploads stay below each quota in a small Region',
  (kind) => {
    const [first] = ceilings('small', kind).filter(({ quota }) => quota !== 'reconciliation');
    expect(first?.max).toBeGreaterThanOrEqual(Math.max(syncRateLimit.fallback, tokenRateLimit.fallback));
  },
);

test('a quota is reached by the uploads that use all of it', () => {
  expect(ceilings('small', 'unused')).toContainEqual({ quota: 'new due index', max: 1000 });
});

test.for(['replacing', 'unused'])('the reconciliation keeps up with %s uploads by default', (kind) => {
  const own = ceilings('small', kind).find(({ quota }) => quota === 'reconciliation');
  expect(own?.max).toBeGreaterThanOrEqual(syncRateLimit.fallback);
});
