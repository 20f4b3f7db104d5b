import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createFile, getFile, setSyncEnabled } from '../../../tools/operator/files.ts';
import { getUpload } from '../../../tools/operator/uploads.ts';
import { closePagesAfterEach, openPage } from '../../tools/console/support/browser.ts';
import { seedClient } from '../../tools/console/support/seed.ts';
import { checksumOf, seedFileWithContent, seedUpload } from '../../tools/console/support/seed-uploads.ts';
import { type ConsoleWithAws, startConsoleWithAws } from '../../tools/console/support/serve.ts';
import { enter, tokenOf } from '../../tools/console/support/visitor.ts';

closePagesAfterEach();

let console: ConsoleWithAws;
let number = 0;
let fileId: string;

beforeAll(async () => {
  console = await startConsoleWithAws();
});
afterAll(() => console.stop());
beforeEach(() => {
  number += 1;
  fileId = `file-${number}`;
});

const newFile = (changes: { fileId?: string } = {}) =>
  createFile(console.aws.deployment, {
    organisationId: 'acme',
    name: `Orders ${number}`,
    syncEnabled: true,
    fileId,
    ...changes,
  });

const stored = () => getFile(console.aws.deployment, fileId);

describe('a file', () => {
  it('is created and renamed: what is wrong is said, and what was entered stays', async () => {
    const page = await openPage(console, '/files/+new?organisation=acme');
    expect(await page.getByLabel('Organisation').inputValue()).toBe('acme');
    await page.getByLabel('Name').fill('Orders');
    await page.getByLabel('File ID').fill('not an id');
    await page.getByRole('button', { name: 'Create the file' }).click();
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('"not an id" is not a file id');
    expect(await page.getByLabel('Name').inputValue()).toBe('Orders');
    await page.getByLabel('File ID').fill(fileId);
    await page.getByLabel('Let clients request upload URLs immediately').check();
    await page.getByRole('button', { name: 'Create the file' }).click();
    await page.getByText(`The file "${fileId}" was created.`).waitFor();
    expect(await stored()).toMatchObject({ name: 'Orders', sync_enabled: true });
    await page.getByRole('link', { name: 'Rename' }).click();
    await page.getByLabel('Name').fill('Prices');
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('heading', { name: 'Prices' }).waitFor();
    const fields = { organisation: 'acme', name: 'Another name', id: fileId };
    const taken = await (await enter(console)).submit('/files/+new', '/files/+new', fields);
    expect([taken.status, taken.text.includes('already exists')]).toEqual([422, true]);
    expect(taken.text).toContain('value="Another name"');
  });

  it('has syncing disabled and enabled, and the page says what still works', async () => {
    await newFile();
    await seedUpload(console.aws, { fileId });
    const page = await openPage(console, `/files/${fileId}`);
    await page.getByRole('button', { name: 'Disable syncing', exact: true }).click();
    await page.getByText('1 upload URL issued before works until').waitFor();
    expect((await stored()).sync_enabled).toBe(false);
    await page.getByRole('button', { name: 'Enable syncing' }).click();
    await page.getByText('Clients can request upload URLs for this file.').waitFor();
    // The page is out of date: a colleague was faster.
    await setSyncEnabled(console.aws.deployment, fileId, false);
    await page.getByRole('button', { name: 'Disable syncing', exact: true }).click();
    await page.getByText('Syncing was not enabled').waitFor();
    expect((await stored()).sync_enabled).toBe(false);
  });

  it('gets its upload URLs closed', async () => {
    await newFile();
    const open = await seedUpload(console.aws, { fileId });
    const page = await openPage(console, `/files/${fileId}`);
    await page.getByRole('link', { name: 'Disable syncing and close upload URLs' }).click();
    await page.getByText('cancels 1 outstanding upload URL').waitFor();
    await page.getByRole('button', { name: 'Disable syncing and close the URLs' }).click();
    await page.getByText('1 upload URL cancelled, 0 finished before, 0 failed.').waitFor();
    expect((await getUpload(console.aws.deployment, open)).state).toBe('cancelled');
    expect((await stored()).sync_enabled).toBe(false);
  });

  it('is deleted after a confirmation that counts what goes, and cannot be changed then', async () => {
    await seedFileWithContent(console.aws, { fileId, body: 'the content' });
    await seedUpload(console.aws, { fileId });
    const visitor = await enter(console);
    const address = `/files/${fileId}`;
    const token = tokenOf((await visitor.get(address)).text, `${address}/sync`);
    const page = await openPage(console, address);
    await page.getByRole('link', { name: 'Delete', exact: true }).click();
    await page.getByText('2 uploads with 11 bytes of content, and 1 upload URL').waitFor();
    expect((await stored()).deleted_at).toBeUndefined();
    await page.getByRole('button', { name: 'Delete the file' }).click();
    await page.getByText('The file was deleted, with 2 uploads. 1 upload URL ended.').waitFor();
    await page.getByRole('link', { name: 'Go back' }).click();
    await page.getByText('Kept until').waitFor();
    const late = await visitor.post(`${address}/sync`, `token=${token}&enabled=true`);
    expect([late.status, late.text.includes('was deleted at')]).toEqual([422, true]);
    expect((await visitor.get(`${address}/name`)).status).toBe(422);
    expect((await visitor.get('/files/none')).status).toBe(404);
  });

  it.each(['new', 'export.csv'])('may have the id %s, which looks like a page', async (id) => {
    await newFile({ fileId: id });
    const { text } = await (await enter(console)).get(`/files/${id}`);
    expect(text).toContain(`<bdi>Orders ${number}</bdi></h1>`);
  });
});

describe('the content of a file', () => {
  it('is shown with its checksum, and with a warning when it is a form', async () => {
    const content = { fileId, body: 'the content', contentType: 'multipart/form-data; boundary=x' };
    const id = await seedFileWithContent(console.aws, content);
    const visitor = await enter(console);
    for (const address of [`/files/${fileId}`, `/uploads/${id}`]) {
      const { text } = await visitor.get(address);
      expect(text, address).toContain(await checksumOf('the content'));
      expect(text, address).toContain('this content was sent as a form');
    }
  });

  it('is downloaded under a harmless name, and never shown as a page', async () => {
    const name = 'a/b\u202e"fdp.csv';
    await seedFileWithContent(console.aws, { fileId, name, body: 'the content', contentType: 'text/html' });
    const page = await openPage(console, `/files/${fileId}`);
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download' }).click();
    const saved = await download;
    expect(saved.suggestedFilename()).toBe('a_b__fdp.csv');
    expect(await readFile(await saved.path(), 'utf8')).toBe('the content');
    const { headers } = await (await enter(console)).get(`/files/${fileId}/content`);
    expect(headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': '11',
      'content-disposition': expect.stringMatching(/^attachment;/),
      'content-security-policy': expect.stringContaining('sandbox'),
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
  });

  it('breaks off before its end when it is not what was stored, and says when there is none', async () => {
    const id = await seedFileWithContent(console.aws, { fileId, body: 'the content' });
    console.aws.objects.set(`uploads/${id}`, { body: 'the CONTENT' });
    const visitor = await enter(console);
    await expect(visitor.get(`/files/${fileId}/content`)).rejects.toThrow();
    await newFile({ fileId: `${fileId}-empty` });
    const none = await visitor.get(`/files/${fileId}-empty/content`);
    expect([none.status, none.text.includes('has no content yet')]).toEqual([422, true]);
    expect(none.headers['content-disposition']).toBeUndefined();
  });
});

describe('an organisation', () => {
  it('shows its clients and files', async () => {
    await newFile();
    const { client_id } = await seedClient(console.aws.deployment);
    const page = await openPage(console, `/files/${fileId}`);
    await page.getByRole('link', { name: 'acme' }).click();
    await page.getByRole('link', { name: `Orders ${number}` }).waitFor();
    await page.getByText(client_id).waitFor();
  });
});
