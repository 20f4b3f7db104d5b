import { getFile } from '../../../tools/operator/files/file.ts';
import { manyClients } from '../../support/many-items.ts';
import { clientItem } from '../admin/items.ts';
import { linksIn, textOf } from './support/read-page.ts';
import { seedClient, seedFile } from './support/seed.ts';
import { startConsoleWithAws } from './support/serve.ts';
import { enter } from './support/visitor.ts';

// 50 more organisations, each with one client.
const deleted = clientItem('client_old', 0, { deleted_at: '2026-03-01T12:00:00.000Z', status: 'revoked' });
const console = await startConsoleWithAws({}, { clients: [...manyClients(50), deleted] });
const visitor = await enter(console);
const { deployment } = console.aws;
await seedClient(deployment, 'Nightly export');
await seedFile(deployment, 'orders');
await seedFile(deployment, 'prices');

describe('organisations', () => {
  test('are listed in pages, with the counts of existing items', async () => {
    const first = (await visitor.get('/organisations')).text;
    expect(textOf(first)).toContain(' acme 1 2 ');
    const [next] = linksIn(first, 'rel="next"');
    const all = `${first}${(await visitor.get(next ?? '')).text}`;
    expect(new Set(linksIn(all, 'class="main"')).size).toBe(51);
  });

  const address = '/organisations/acme/delete';

  test.for(['', 'ACME', 'acme2'])('are not deleted when "%s" is typed', async (typed) => {
    const rejected = await visitor.submit(address, address, { typed });
    expect([rejected.status, rejected.text.includes('type acme. Nothing was changed')]).toEqual([422, true]);
    expect((await getFile(deployment, 'orders')).deleted_at).toBeUndefined();
  });
});

test('damaged items are named on a list, beside the sound ones', async () => {
  await seedClient(deployment, 'Sound');
  const time = { S: '2026-01-01T00:00:00.000Z' };
  const owned = { organisation_id: { S: 'acme' }, name: { N: '1' }, created_at: time };
  await console.aws.putItem('clients', { ...owned, client_id: { S: 'torn' } });
  const { status, text } = await visitor.get('/clients');
  expect([status, text]).toEqual([200, expect.stringContaining('acme')]);
  expect(text).toMatch(/(role="alert"|Sound).*The stored client is not as expected at: name\.S.*torn/s);
});
