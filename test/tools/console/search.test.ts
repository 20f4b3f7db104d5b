import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFile } from '../../../tools/operator/files/file.ts';
import { manyClients, writeItems } from '../../support/many-items.ts';
import { seedClient, seedSigningKeys } from './support/seed.ts';
import { seedUpload } from './support/seed-uploads.ts';
import { type ConsoleWithAws, hurriedClock, startConsole, startConsoleWithAws } from './support/serve.ts';
import { enter } from './support/visitor.ts';

let console: ConsoleWithAws;
let clientId: string;
let uploadId: string;

beforeAll(async () => {
  console = await startConsoleWithAws();
  const { deployment } = console.aws;
  seedSigningKeys(console.aws);
  clientId = (await seedClient(deployment, 'Nightly export')).client_id;
  const file = { organisationId: 'umbrella', syncEnabled: true };
  await createFile(deployment, { ...file, name: 'Orders of the night', fileId: 'orders' });
  await createFile(deployment, { ...file, name: 'Twin', fileId: 'current-kid' });
  const upload = { fileId: 'orders', organisationId: 'umbrella', clientId, requestId: 'JKJaXmPLvHcESHA=' };
  uploadId = await seedUpload(console.aws, upload);
});
afterAll(() => console.stop());

const searchFor = async (q: string) => (await enter(console)).get(`/search?${new URLSearchParams({ q })}`);

describe('the search', () => {
  it('finds by any id, and shows all that have it', async () => {
    const expected = [
      [clientId, [`/clients/${clientId}`]],
      [' orders ', ['/files/orders']],
      [uploadId, [`/uploads/${uploadId}`]],
      [`uploads/${uploadId}`, [`/uploads/${uploadId}`]],
      ['JKJaXmPLvHcESHA', [`/uploads/${uploadId}`]],
      ['umbrella', ['/organisations/umbrella']],
      ['current-kid', ['/files/current-kid', '/signing-keys']],
      ['nothing', []],
    ] as const;
    for (const [q, found] of expected) {
      const { text } = await searchFor(q);
      const [, list = ''] = text.split('<section id="list-what-was-found"');
      const [rows = ''] = list.split('</section>');
      expect(
        [...rows.matchAll(/class="main" href="([^"]+)"/g)].map(([, address]) => address).sort(),
        q,
      ).toEqual(found);
    }
  });

  it('finds parts of names, and keeps what was entered', async () => {
    const { text } = await searchFor('NIGHT');
    expect(text).toContain('>Nightly export<');
    expect(text).toContain('>Orders of the night<');
    expect(text).toContain('value="NIGHT"');
  });

  it('leads to the list of uploads when there was no time to look for a request in all of them', async () => {
    await writeItems(console.aws, 'clients', manyClients(250));
    const hurried = await startConsole(console.aws.deployment, { now: hurriedClock() });
    try {
      const { text } = await (await enter(hurried)).get('/search?q=JKJaXmPLvHcESHB');
      expect(text).toContain('href="/uploads?request=JKJaXmPLvHcESHB"');
    } finally {
      await hurried.stop();
    }
  });

  it('lets no secret stay in the address', async () => {
    const { client_secret } = await seedClient(console.aws.deployment);
    const answer = await searchFor(`x ${client_secret}`);
    expect(answer.headers.location).toBe('/search');
    expect(answer.text).not.toContain(client_secret);
  });

  it('finds the rest when something cannot be read', async () => {
    console.aws.keySet = 'broken';
    const { status, text } = await searchFor('orders');
    expect(status).toBe(200);
    expect(text).toContain('class="note bad"');
    expect(text).toContain('href="/files/orders"');
  });
});
