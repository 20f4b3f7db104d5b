import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createFile, getFile, setSyncEnabled } from '../../../tools/operator/files/file.ts';
import { getUpload } from '../../../tools/operator/uploads/upload.ts';
import { crc64nvme } from '../admin/support/file-with-content.ts';
import { seedFileWithContent, seedUpload } from './support/seed-uploads.ts';
import { type ConsoleWithAws, startConsoleWithAws } from './support/serve.ts';
import { enter, tokenOf } from './support/visitor.ts';

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
  it('is created: what is wrong is said, and what was entered stays', async () => {
    const visitor = await enter(console);
    const form = '/files/+new';
    expect((await visitor.get(`${form}?organisation=acme`)).text).toContain('value="acme"');
    const entered = { organisation: 'acme', name: 'Orders', id: 'not an id', sync: 'enabled' };
    const refused = await visitor.submit(form, form, entered);
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('is not a file id');
    expect(refused.text).toContain('value="Orders"');
    expect(await visitor.act(form, form, { ...entered, id: fileId })).toContain('was created.');
    expect(await stored()).toMatchObject({ name: 'Orders', sync_enabled: true });
    const taken = await visitor.submit(form, form, { ...entered, name: 'Another name', id: fileId });
    expect([taken.status, taken.text.includes('already exists')]).toEqual([422, true]);
    expect(taken.text).toContain('value="Another name"');
  });

  it('has syncing disabled and enabled, and the page says what still works', async () => {
    await newFile();
    await seedUpload(console.aws, { fileId });
    const visitor = await enter(console);
    const [page, action] = [`/files/${fileId}`, `/files/${fileId}/sync`];
    const disabled = await visitor.act(page, action, { enabled: 'false' });
    expect(disabled).toContain('Bytes may still arrive through 1 upload URL until');
    expect((await stored()).sync_enabled).toBe(false);
    const enabled = await visitor.act(page, action, { enabled: 'true' });
    expect(enabled).toContain('Clients can request upload URLs for this file.');
    // The page is out of date: a colleague was faster.
    await setSyncEnabled(console.aws.deployment, fileId, false);
    const again = await visitor.act(page, action, { enabled: 'false' });
    expect(again).toContain('Syncing was not enabled');
    expect((await stored()).sync_enabled).toBe(false);
  });

  it('gets its upload URLs closed', async () => {
    await newFile();
    const open = await seedUpload(console.aws, { fileId });
    const visitor = await enter(console);
    const address = `/files/${fileId}/sync/close`;
    expect((await visitor.get(address)).text).toContain(
      'closes 1 upload URL through which bytes may still arrive',
    );
    const closed = await visitor.act(address, address);
    expect(closed).toContain('Syncing is disabled, and 1 upload URL closed.');
    expect((await getUpload(console.aws.deployment, open)).state).toBe('cancelled');
    expect((await stored()).sync_enabled).toBe(false);
  });

  it('is deleted after a confirmation that counts what goes, and cannot be changed then', async () => {
    await seedFileWithContent(console.aws, { fileId, body: 'the content' });
    await seedUpload(console.aws, { fileId });
    const visitor = await enter(console);
    const address = `/files/${fileId}`;
    const token = tokenOf((await visitor.get(address)).text, `${address}/sync`);
    const { text: confirmation } = await visitor.get(`${address}/delete`);
    expect(confirmation).toContain('2 uploads with 11 bytes of content, and 1 upload URL');
    expect((await stored()).deleted_at).toBeUndefined();
    const deleted = await visitor.act(`${address}/delete`, `${address}/delete`);
    expect(deleted).toContain('The file was deleted, with 2 uploads. 1 upload URL ended.');
    expect((await visitor.get(address)).text).toContain('Kept until');
    expect((await visitor.get(`${address}/delete`)).headers.location).toBe(address);
    const late = await visitor.post(`${address}/sync`, `token=${token}&enabled=true`);
    expect([late.status, late.text.includes('was deleted at')]).toEqual([422, true]);
    expect((await visitor.get(`${address}/sync/close`)).status).toBe(422);
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
      expect(text, address).toContain(await crc64nvme(Buffer.from('the content')));
      expect(text, address).toContain('this content was sent as a form');
    }
  });

  it('is downloaded under its encoded name, and never shown as a page', async () => {
    const name = 'a/b\u202e"fdp.csv';
    await seedFileWithContent(console.aws, { fileId, name, body: 'the content', contentType: 'text/html' });
    const { headers, text } = await (await enter(console)).get(`/files/${fileId}/content`);
    expect(text).toBe('the content');
    expect(headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': '11',
      'content-disposition': `attachment; filename*=UTF-8''a%2Fb%E2%80%AE%22fdp.csv`,
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
