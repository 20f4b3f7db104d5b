import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFile } from '../../../tools/operator/files/file.ts';
import { seedClient } from './support/seed.ts';
import { seedUpload } from './support/seed-uploads.ts';
import { type ConsoleWithAws, startConsoleWithAws } from './support/serve.ts';
import { enter, type Visitor } from './support/visitor.ts';

let console: ConsoleWithAws;
let clientId: string;

beforeAll(async () => {
  console = await startConsoleWithAws();
  const { deployment } = console.aws;
  clientId = (await seedClient(deployment)).client_id;
  await createFile(deployment, {
    organisationId: 'acme',
    name: 'Orders',
    syncEnabled: true,
    fileId: 'orders',
  });
  await seedUpload(console.aws, { fileId: 'orders', clientId, minutesAgo: 10 });
});
afterAll(() => console.stop());

const live = { 'x-console-live': '1' };

/** The address from which a page loads its newer uploads. */
async function refreshOf(visitor: Visitor, page: string): Promise<string> {
  const { text } = await visitor.get(page);
  const [, address = ''] = /<div id="with-uploads"[^>]* hx-get="([^"]+)"/.exec(text) ?? [];
  return address.replaceAll('&amp;', '&');
}

describe('a page that is kept up to date with its uploads', () => {
  it.for(['/files/orders', '/clients/ID', '/overview/latest'])(
    'has nothing to load at first: %s',
    async (page) => {
      const visitor = await enter(console);
      const address = await refreshOf(visitor, page.replace('ID', clientId));
      expect((await visitor.get(address, live)).status).toBe(204);
    },
  );

  it.for(['/files/orders', '/clients/ID', '/overview/latest'])('loads a new upload: %s', async (page) => {
    const visitor = await enter(console);
    const address = await refreshOf(visitor, page.replace('ID', clientId));
    const id = await seedUpload(console.aws, { fileId: 'orders', clientId });
    expect((await visitor.get(address, live)).text).toContain(`/uploads/${id}"`);
  });

  it('loads an upload again when its state has changed', async () => {
    const id = await seedUpload(console.aws, { fileId: 'changing', clientId, minutesAgo: 61 });
    await createFile(console.aws.deployment, {
      organisationId: 'acme',
      name: 'Changing',
      syncEnabled: true,
      fileId: 'changing',
    });
    const visitor = await enter(console);
    const address = await refreshOf(visitor, '/files/changing');
    const before = address.replace(`${id}.expired`, `${id}.issued`);
    expect((await visitor.get(before, live)).text).toContain('expired');
  });

  it('asks for one page of the index and one read of its items', async () => {
    const visitor = await enter(console);
    const address = await refreshOf(visitor, '/files/orders');
    const before = new Map(console.aws.calls);
    await visitor.get(address, live);
    const made = [...console.aws.calls].map(([call, count]) => [call, count - (before.get(call) ?? 0)]);
    expect(Object.fromEntries(made.filter(([, count]) => count !== 0))).toEqual({
      Query: 1,
      BatchGetItem: 1,
    });
  });
});

describe('a deployment without uploads', () => {
  it('leads to its first file and its first client', async () => {
    const empty = await startConsoleWithAws();
    try {
      const { text } = await (await enter(empty)).get('/overview/latest');
      expect([...text.matchAll(/class="button" href="([^"]+)"/g)].map(([, address]) => address)).toEqual([
        '/files/+create',
        '/clients/+create',
      ]);
    } finally {
      await empty.stop();
    }
  });
});
