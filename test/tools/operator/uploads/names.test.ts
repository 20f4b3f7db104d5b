import { namesFor } from '../../../../tools/operator/uploads/names.ts';
import { startAws } from '../../../support/aws.ts';

test('only the names of the first 100 rows are read', async () => {
  const { deployment } = await startAws();
  const rows = Array.from({ length: 101 }, (_, index) => ({ file_id: `file${index}` }));
  expect(await namesFor(deployment, rows)).toEqual(new Map());
});
