import { findTests, renderConformance } from './conformance-table.ts';

test('docs/generated/conformance.md is the output of npm run generate', async () => {
  const page = await renderConformance(await findTests());
  await expect(page).toMatchFileSnapshot('../../../docs/generated/conformance.md');
});
