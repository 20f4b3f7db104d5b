import { expect, test } from 'vitest';
import { findTests, renderConformance } from './conformance-table.ts';

test('docs/generated/conformance.md is what npm run generate writes', async () => {
  const page = await renderConformance(await findTests());
  await expect(page).toMatchFileSnapshot('../../../docs/generated/conformance.md');
});
