import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFile } from '../../cli/operations/files.ts';
import { closePagesAfterEach, openPage } from './support/browser.ts';
import { seedClient, seedSigningKeys } from './support/seed.ts';
import { type ConsoleWithAws, startConsoleWithAws } from './support/serve.ts';
import { enter } from './support/visitor.ts';

closePagesAfterEach();

let console: ConsoleWithAws;
let clientId: string;
let fileId: string;
const uploadId = '019c1b2e-7d3a-7cc1-8f43-5e0d1c2b3a49';

beforeAll(async () => {
  console = await startConsoleWithAws();
  const { deployment } = console.aws;
  seedSigningKeys(console.aws);
  clientId = (await seedClient(deployment, 'Nightly export')).client_id;
  const file = { organisationId: 'umbrella', name: 'Orders of the night', syncEnabled: true };
  fileId = (await createFile(deployment, file)).file_id;
  const text = (S: string) => ({ S });
  await console.aws.putItem('uploads', {
    upload_id: text(uploadId),
    file_id: text(fileId),
    organisation_id: text('umbrella'),
    client_id: text(clientId),
    state: text('issued'),
    issued_at: text('2026-01-31T12:00:00.000Z'),
    expires_at: text('2026-01-31T13:00:00.000Z'),
    key: text(`uploads/${uploadId}`),
  });
});
afterAll(() => console.stop());

const searchFor = async (q: string) => (await enter(console)).get(`/search?${new URLSearchParams({ q })}`);

describe('the search', () => {
  it('leads from any id to its page', async () => {
    const expected = [
      [clientId, `/clients/${clientId}`],
      [` ${fileId} `, `/files/${fileId}`],
      [uploadId, `/uploads/${uploadId}`],
      [`uploads/${uploadId}`, `/uploads/${uploadId}`],
      ['umbrella', '/organisations/umbrella'],
      ['current-kid', '/signing-keys/current-kid'],
    ];
    for (const [q = '', location] of expected) {
      const answer = await searchFor(q);
      expect([answer.status, answer.headers.location], q).toEqual([303, location]);
    }
  });

  it('is a searchbox that is reached by keyboard, and finds parts of names', async () => {
    const page = await openPage(console, '/clients');
    await page.keyboard.press('/');
    await page.keyboard.type('night');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'client Nightly export' }).waitFor();
    expect(await page.getByRole('link', { name: 'file Orders of the night' }).count()).toBe(1);
    expect(await page.getByRole('searchbox').inputValue()).toBe('night');
    await page.getByText('which is all of them').waitFor();
  });

  it('shows all that have the same id', async () => {
    const file = { organisationId: 'acme', name: 'Twin', syncEnabled: true, fileId: 'current-kid' };
    await createFile(console.aws.deployment, file);
    const { status, text } = await searchFor('current-kid');
    expect(status).toBe(200);
    expect(text).toContain('href="/files/current-kid"');
    expect(text).toContain('href="/signing-keys/current-kid"');
  });

  it('says where to look for requests, and what it tried', async () => {
    const { text } = await searchFor('JKJaXmPLvHcESHA=');
    expect(text).toContain('Nothing was found.');
    expect(text).toContain('Logs Insights');
    expect((await searchFor('nothing')).text).toContain(
      'No client, file, upload, organisation or signing key has',
    );
    expect((await searchFor('nothing')).text).not.toContain('Logs Insights');
  });

  it('lets no secret stay in the address', async () => {
    const { client_secret } = await seedClient(console.aws.deployment);
    const answer = await searchFor(`x ${client_secret}`);
    expect(answer.headers.location).toBe('/search?secret=1');
    expect(answer.text).not.toContain(client_secret);
  });

  it('shows what it was asked for harmlessly', async () => {
    const { text } = await searchFor('"><script>alert(1)</script>');
    expect(text).not.toContain('<script>alert');
  });

  it('finds the rest when one table cannot be read', async () => {
    const { keySet } = console.aws;
    console.aws.keySet = 'broken';
    try {
      const { status, text } = await searchFor('nothing');
      expect(status).toBe(200);
      expect(text).toContain('Could not look for it as the id of a signing key');
    } finally {
      console.aws.keySet = keySet;
    }
  });
});
