import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createFile, getFile, setSyncEnabled } from '../../cli/operations/files.ts';
import { getUpload } from '../../cli/operations/uploads.ts';
import { closePagesAfterEach, expectAccessible, openPage } from './support/browser.ts';
import { hostileName, seedClient } from './support/seed.ts';
import { checksumOf, seedFileWithContent, seedUpload } from './support/seed-uploads.ts';
import { type ConsoleWithAws, startConsole, startConsoleWithAws } from './support/serve.ts';
import { enter } from './support/visitor.ts';

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

const newFile = (changes: { syncEnabled?: boolean; name?: string; organisationId?: string } = {}) =>
  createFile(console.aws.deployment, {
    organisationId: 'acme',
    name: `Orders ${number}`,
    syncEnabled: true,
    fileId,
    ...changes,
  });

describe('a file in the browser', () => {
  it('is created: what is wrong is said, and what was entered stays', async () => {
    const page = await openPage(console, '/files');
    await page.getByRole('link', { name: 'Create the first file' }).click();
    await page.getByLabel('Organisation').fill('acme');
    await page.getByLabel('Name').fill('Orders');
    await page.getByLabel('File ID').fill('not an id');
    await page.getByRole('button', { name: 'Create the file' }).click();
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('"not an id" is not a file id');
    expect(await page.getByLabel('Name').inputValue()).toBe('Orders');
    await expectAccessible(page);
    await page.getByLabel('File ID').fill(fileId);
    await page.getByLabel('Let clients request upload URLs immediately').check();
    await page.getByRole('button', { name: 'Create the file' }).click();
    await page.getByText(`The file "${fileId}" was created.`).waitFor();
    expect(await page.getByRole('switch').getAttribute('aria-checked')).toBe('true');
    expect(await getFile(console.aws.deployment, fileId)).toMatchObject({
      name: 'Orders',
      sync_enabled: true,
    });
    await expectAccessible(page);
  });

  it('is not created when its id is taken, and the input is kept', async () => {
    await newFile();
    const visitor = await enter(console);
    const answer = await visitor.submit('/files/+new', '/files/+new', {
      organisation: 'acme',
      name: 'Another name',
      id: fileId,
    });
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('already exists');
    expect(answer.text).toContain('value="Another name"');
  });

  it('is renamed, and the name is put back', async () => {
    await newFile();
    const page = await openPage(console, `/files/${fileId}`);
    await page.getByRole('link', { name: 'Rename' }).click();
    await page.getByLabel('Name').fill(hostileName.replace('\u202e', ''));
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('heading', { name: '<b onclick=alert(1)>Name</b>' }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('heading', { name: `Orders ${number}` }).waitFor();
  });

  it('has a sync switch, which says what still works and is undone', async () => {
    await newFile();
    await seedUpload(console.aws, { fileId });
    const page = await openPage(console, `/files/${fileId}`);
    const control = page.getByRole('switch', { name: 'Clients can sync into this file' });
    expect(await control.getAttribute('aria-checked')).toBe('true');
    // With the keyboard alone.
    await control.focus();
    await page.keyboard.press('Space');
    await page.getByText('1 upload URL issued before still works').waitFor();
    await page.getByText('1 upload URL issued before works until').waitFor();
    expect(await control.getAttribute('aria-checked')).toBe('false');
    expect((await getFile(console.aws.deployment, fileId)).sync_enabled).toBe(false);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Clients can request upload URLs for this file.').waitFor();
    expect(await control.getAttribute('aria-checked')).toBe('true');
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
    await page.getByRole('link', { name: 'Go back' }).click();
    expect(await page.getByRole('switch').getAttribute('aria-checked')).toBe('false');
  });

  it('is deleted after a confirmation that counts what goes', async () => {
    await seedFileWithContent(console.aws, { fileId, body: 'the content' });
    await seedUpload(console.aws, { fileId });
    const page = await openPage(console, `/files/${fileId}`);
    await page.getByRole('link', { name: 'Delete', exact: true }).click();
    await page.getByText('2 uploads with 11 bytes of content, and 1 upload URL').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Delete the file' }).click();
    await page.getByText('The file was deleted, with 2 uploads. 1 upload URL ended.').waitFor();
    await page.getByRole('link', { name: 'Go back' }).click();
    await page.getByText('Kept until').waitFor();
    expect(await page.getByRole('switch').count()).toBe(0);
    await page.goto(`${console.origin}/files?status=deleted`);
    await page.getByRole('link', { name: `${fileId}.csv` }).waitFor();
  });
});

describe('the content of a file', () => {
  it('is shown with its checksum, and so is its upload', async () => {
    const id = await seedFileWithContent(console.aws, { fileId, body: 'the content' });
    const visitor = await enter(console);
    for (const address of [`/files/${fileId}`, `/uploads/${id}`]) {
      const { text } = await visitor.get(address);
      expect(text, address).toContain('CRC64NVME');
      expect(text, address).toContain(await checksumOf('the content'));
    }
  });

  it('is downloaded under a harmless name', async () => {
    const name = 'a/b\u202e"fdp.csv';
    await seedFileWithContent(console.aws, { fileId, name, body: 'the content', contentType: 'text/html' });
    const page = await openPage(console, `/files/${fileId}`);
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download' }).click();
    const saved = await download;
    expect(saved.suggestedFilename()).toBe('a_b__fdp.csv');
    expect(await readFile(await saved.path(), 'utf8')).toBe('the content');
  });

  it('is never shown as a page, whatever its type', async () => {
    await seedFileWithContent(console.aws, { fileId, body: '<script>1</script>', contentType: 'text/html' });
    const visitor = await enter(console);
    const { headers } = await visitor.get(`/files/${fileId}/content`);
    expect(headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': '18',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    expect(headers['content-disposition']).toMatch(/^attachment;/);
    expect(headers['content-security-policy']).toContain('sandbox');
  });

  it('breaks off before its end when it is not what was stored', async () => {
    const id = await seedFileWithContent(console.aws, { fileId, body: 'the content' });
    console.aws.objects.set(`uploads/${id}`, { body: 'the CONTENT' });
    const visitor = await enter(console);
    await expect(visitor.get(`/files/${fileId}/content`)).rejects.toThrow();
    expect((await visitor.get('/files')).text).toContain('broke off. The bytes that arrived have MD5');
  });

  it('is an error page when there is none, or the storage has lost it', async () => {
    await newFile();
    const visitor = await enter(console);
    const none = await visitor.get(`/files/${fileId}/content`);
    expect(none.status).toBe(422);
    expect(none.text).toContain('has no content yet');
    expect(none.headers['content-disposition']).toBeUndefined();
    await seedFileWithContent(console.aws, { fileId: `${fileId}-lost`, body: 'lost' });
    console.aws.objects.clear();
    const lost = await visitor.get(`/files/${fileId}-lost/content`);
    expect(lost.status).toBeGreaterThanOrEqual(400);
    expect(lost.text).toContain('<h1>');
  });

  it('comes with a warning when it is a form', async () => {
    await seedFileWithContent(console.aws, {
      fileId,
      body: 'x',
      contentType: 'multipart/form-data; boundary=x',
    });
    const visitor = await enter(console);
    expect((await visitor.get(`/files/${fileId}`)).text).toContain('this content was sent as a form');
  });
});

describe('a list of files', () => {
  it('is filtered, and says so in its address; the export has the same files', async () => {
    const organisationId = `org-${number}`;
    await newFile({ organisationId, name: hostileName });
    const page = await openPage(console, '/files');
    const filters = page.getByRole('search').filter({ has: page.getByRole('button', { name: 'Filter' }) });
    await filters.getByLabel('Organisation').fill(organisationId);
    await filters.getByLabel('Id or name').fill('NAME');
    await filters.getByRole('button', { name: 'Filter' }).click();
    await page.getByText('1 file, newest first.').waitFor();
    expect(page.url()).toContain(`organisation=${organisationId}`);
    expect(await page.getByRole('row').count()).toBe(2);
    const visitor = await enter(console);
    const { text } = await visitor.get(`/files/+export.json?organisation=${organisationId}&q=NAME`);
    expect(JSON.parse(text)).toMatchObject({ data: [{ file_id: fileId, name: hostileName }] });
    const csv = await visitor.get(`/files/+export.csv?organisation=${organisationId}&status=disabled`);
    expect(csv.text.trim().split('\n')).toHaveLength(1);
  });

  it('pages through the files of an organisation, each once', async () => {
    const organisationId = `org-${number}`;
    await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        createFile(console.aws.deployment, {
          organisationId,
          name: 'n',
          syncEnabled: false,
          fileId: `many-${number}-${String(index).padStart(2, '0')}`,
        }),
      ),
    );
    const visitor = await enter(console);
    const idsOf = (text: string) => [...text.matchAll(/href="\/files\/(many-[^"]+)"/g)].map(([, id]) => id);
    const first = await visitor.get(`/files?organisation=${organisationId}`);
    expect(first.text).toContain('50 files, newest first. There are older ones.');
    const next = /rel="next" href="([^"]+)"/.exec(first.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const second = await visitor.get(next);
    const ids = [...idsOf(first.text), ...idsOf(second.text)];
    expect(idsOf(first.text)).toHaveLength(50);
    expect(second.text).toContain('10 files, newest first, from an older page.');
    expect(second.text).not.toContain('rel="next"');
    expect(new Set(ids).size).toBe(60);
  });
});

describe('an id that looks like a page', () => {
  it.each(['new', 'export.csv'])('%s has its own page', async (id) => {
    await createFile(console.aws.deployment, {
      organisationId: 'acme',
      name: `is ${id}`,
      syncEnabled: false,
      fileId: id,
    });
    const visitor = await enter(console);
    expect((await visitor.get(`/files/${id}`)).text).toContain(`<h1><bdi>is ${id}</bdi></h1>`);
  });
});

describe('what is refused', () => {
  it('is every change of a file that does not exist, or is deleted', async () => {
    const visitor = await enter(console);
    expect((await visitor.get('/files/none')).status).toBe(404);
    await newFile();
    // The page was loaded before somebody else deleted the file.
    const before = `/files/${fileId}`;
    const { text } = await visitor.get(before);
    const token = /action="[^"]+\/sync"[^>]*><input type="hidden" name="token" value="([^"]+)"/.exec(
      text,
    )?.[1];
    await visitor.submit(`${before}/delete`, `${before}/delete`);
    await expect.poll(async () => (await getFile(console.aws.deployment, fileId)).delete_after).toBeDefined();
    const late = await visitor.post(`${before}/sync`, `token=${token}&enabled=true`);
    expect(late.status).toBe(422);
    expect(late.text).toContain('was deleted at');
    expect((await visitor.get(`${before}/name`)).text).toContain('That cannot be undone');
    expect((await visitor.get(`${before}/delete`)).text).toContain('This file is already deleted.');
  });

  it('is every change in a console that only reads', async () => {
    await newFile();
    const reader = await startConsole(console.aws.deployment, { readOnly: true });
    try {
      const page = await openPage(reader, `/files/${fileId}`);
      expect(await page.getByRole('switch').isDisabled()).toBe(true);
      const visitor = await enter(reader);
      const paths = ['sync', 'sync/close', 'name', 'delete'].map((rest) => `/files/${fileId}/${rest}`);
      for (const path of ['/files/+new', ...paths, '/organisations/acme/delete', '/uploads/replay']) {
        expect((await visitor.post(path, 'token=x')).status, path).toBe(403);
      }
      expect((await getFile(console.aws.deployment, fileId)).sync_enabled).toBe(true);
    } finally {
      await reader.stop();
    }
  });
});

describe('two operators', () => {
  it('who use the switch at the same time never turn it the other way', async () => {
    await newFile();
    const page = await openPage(console, `/files/${fileId}`);
    await setSyncEnabled(console.aws.deployment, fileId, false);
    // This page still shows that it is on.
    await page.getByRole('switch').click();
    await page.getByText('Syncing was not enabled').waitFor();
    expect(await page.getByRole('switch').getAttribute('aria-checked')).toBe('false');
  });
});

describe('an organisation', () => {
  it('shows its clients and files, and is deleted with them', async () => {
    const organisationId = `org-${number}`;
    await newFile({ organisationId });
    await seedUpload(console.aws, { fileId, organisationId });
    const page = await openPage(console, `/files/${fileId}`);
    await page.getByRole('link', { name: organisationId }).click();
    await page.getByRole('heading', { name: `Organisation ${organisationId}` }).waitFor();
    await page.getByText('There is no client of organisation').waitFor();
    await page.getByRole('link', { name: 'Delete', exact: true }).click();
    await page.getByText('0 clients, 1 file, 1 upload').waitFor();
    await page.getByRole('button', { name: 'Delete everything of the organisation' }).click();
    await page.getByText('0 clients, 1 file and 1 upload were deleted. 1 upload URL ended.').waitFor();
    const { client_id } = await seedClient(console.aws.deployment);
    const visitor = await enter(console);
    expect((await visitor.get(`/organisations/${organisationId}/delete`)).text).toContain('already deleted');
    expect((await visitor.get('/organisations/acme')).text).toContain(client_id);
    expect((await visitor.get('/organisations/nobody/delete')).text).toContain(
      'There is no client and no file',
    );
  });
});
