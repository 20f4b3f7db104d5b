import { missingIn } from './support/read-page.ts';
import { seedClient, seedFile } from './support/seed.ts';
import { startConsoleWithAws } from './support/serve.ts';
import { enter } from './support/visitor.ts';

const console = await startConsoleWithAws();
const visitor = await enter(console);
const { deployment } = console.aws;
await seedFile(deployment, 'orders');
await seedFile(deployment, 'twin', { name: 'Twin', organisationId: 'twin' });

const searchFor = async (q: string) => visitor.get(`/search?${new URLSearchParams({ q })}`);

beforeEach(() => console.aws.calls.clear());

describe('the search for an id', () => {
  test('opens the page of a file, with spaces around the id', async () => {
    const { status, headers } = await searchFor(' orders ');
    expect([status, headers.location]).toEqual([303, '/files/orders']);
  });

  test('shows all that have it, and no search by name', async () => {
    const { text } = await searchFor('twin');
    const parts = [
      'file Twin twin organisation twin twin',
      'role=link[name="Twin"][href="/files/twin"]',
      'role=link[name="twin"][href="/organisations/twin"]',
    ];
    expect(missingIn(text, parts)).toEqual([]);
    expect(text).not.toContain('?name=twin');
    expect(console.aws.calls.get('Scan')).toBeUndefined();
  });

  test('shows on the page of a single hit that names were not searched', async () => {
    const { headers } = await searchFor('orders');
    const { text } = await visitor.get(headers.location ?? '');
    expect(text).toContain('Found by its id. Names were not searched.');
  });

  test('lets no secret stay in the address', async () => {
    const { client_secret } = await seedClient(console.aws.deployment);
    const response = await searchFor(`x ${client_secret}`);
    expect(response.headers.location).toBe('/search');
    expect(response.text).not.toContain(client_secret);
    expect((await visitor.get('/search')).text).toContain('Nothing was searched for.');
  });
});
