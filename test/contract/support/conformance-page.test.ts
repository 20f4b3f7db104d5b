import { expect, it } from 'vitest';
import { findTests, renderConformance } from './conformance-table.ts';

it('the rules and their tests are docs/generated/conformance.md, or else run npm run generate', async () => {
  const page = await renderConformance(await findTests());
  await expect(page).toMatchFileSnapshot('../../../docs/generated/conformance.md');
});
