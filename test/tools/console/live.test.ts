import { describe, expect, test } from 'vitest';
import { createFile } from '../../../tools/operator/files/file.ts';
import { seedClient } from './support/seed.ts';
import { seedUpload } from './support/seed-uploads.ts';
import { startConsoleWithAws } from './support/serve.ts';
import { enter, type Visitor } from './support/visitor.ts';

const console = await startConsoleWithAws();
const { deployment } = console.aws;
const clientId = (await seedClient(deployment)).client_id;
await createFile(deployment, {
  organisationId: 'acme',
  name: 'Orders',
  syncEnabled: true,
  fileId: 'orders',
});
await seedUpload(console.aws, { fileId: 'orders', clientId, minutesAgo: 10 });

const live = { 'x-console-live': '1' };

/** The address from which a page loads its newer uploads. */
async function refreshOf(visitor: Visitor, page: string): Promise<string> {
  const { text } = await visitor.get(page);
  const [, address = ''] = /<div id="with-uploads"[^>]* hx-get="([^"]+)"/.exec(text) ?? [];
  return address.replaceAll('&amp;', '&');
}

describe('a page that is kept up to date with its uploads', () => {
  test.for(['/files/orders', '/clients/ID', '/overview/latest'])('loads a new upload: %s', async (page) => {
    const visitor = await enter(console);
    const address = await refreshOf(visitor, page.replace('ID', clientId));
    const id = await seedUpload(console.aws, { fileId: 'orders', clientId });
    expect((await visitor.get(address, live)).text).toContain(`/uploads/${id}"`);
  });
});

describe('a deployment without uploads', () => {
  test('leads to its first file and its first client', async () => {
    const visitor = await enter(await startConsoleWithAws());
    const { text } = await visitor.get('/overview/latest');
    expect([...text.matchAll(/class="button" href="([^"]+)"/g)].map(([, address]) => address)).toEqual([
      '/files/+create',
      '/clients/+create',
    ]);
    expect((await visitor.get('/uploads')).text).toContain(
      'There are no uploads to show. An upload begins when',
    );
    expect((await visitor.get('/organisations')).text).toContain('There are no organisations to show.');
  });
});
