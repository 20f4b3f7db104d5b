import { missingIn } from './support/read-page.ts';
import { seedFile } from './support/seed.ts';
import { seedFileWithContent } from './support/seed-uploads.ts';
import { startConsoleWithAws } from './support/serve.ts';
import { enter } from './support/visitor.ts';

let number = 0;
let fileId: string;

const console = await startConsoleWithAws();
const visitor = await enter(console);
beforeEach(() => {
  number += 1;
  fileId = `file-${number}`;
});

const newFile = (id = fileId) => seedFile(console.aws.deployment, id, { name: `Orders ${number}` });

describe('a file', () => {
  test('is created by a form that shows errors and keeps its values', async () => {
    const form = '/files/+create';
    const entered = { organisation: 'acme', name: 'Orders', id: 'not an id', syncEnabled: 'true' };
    const rejected = await visitor.submit(form, form, entered);
    const parts = [
      'css=#field-id[aria-invalid="true"][autofocus]',
      'css=#about-id [role="alert"]',
      '"not an id" cannot be the id of the file',
      'role=textbox[name="Name"][value="Orders"]:not([aria-invalid])',
      'css=input[type="checkbox"][value="true"][checked]',
    ];
    expect([rejected.status, missingIn(rejected.text, parts)]).toEqual([422, []]);
    expect(await visitor.act(form, form, { ...entered, id: fileId })).toContain('was created.');
    const taken = await visitor.submit(form, form, { ...entered, name: 'Another name', id: fileId });
    expect([taken.status, taken.text.includes('already exists')]).toEqual([422, true]);
    expect(missingIn(taken.text, ['role=textbox[name="Name"][value="Another name"]'])).toEqual([]);
  });

  test('that was deleted can be erased or undeleted, and nothing else', async () => {
    await newFile();
    const address = `/files/${fileId}`;
    await visitor.act(`${address}/delete`, `${address}/delete`);
    const { text } = await visitor.get(address);
    expect(text).toContain('Record kept until');
    expect(text.match(/\/files\/[^"]+\/[a-z]+(?=")/g)).toEqual([`${address}/delete`, `${address}/undelete`]);
    const late = await visitor.submit(`${address}/rename`, `${address}/rename`, { name: 'Late' });
    expect([late.status, late.text.includes('was deleted at')]).toEqual([422, true]);
    expect(await visitor.act(address, `${address}/undelete`)).toContain('The file was undeleted');
    const erased = await visitor.act(`${address}/delete`, `${address}/delete`, { erase: 'true' });
    expect(erased).toContain('All content was erased.');
  });

  test('may have an id that looks like a page', async () => {
    await newFile('create');
    const { text } = await visitor.get('/files/create');
    expect(missingIn(text, [`role=heading[name="Orders ${number}"]`])).toEqual([]);
  });
});

describe('the content of a file', () => {
  test('is downloaded under its encoded name, and never shown as a page', async () => {
    const name = 'a/b\u202e"fdp (1).csv';
    await seedFileWithContent(console.aws, { fileId, name, body: 'the content', contentType: 'text/html' });
    const { headers, text } = await visitor.get(`/files/${fileId}/content`);
    expect(text).toBe('the content');
    expect(headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': '11',
      'content-disposition': `attachment; filename*=UTF-8''a%2Fb%E2%80%AE%22fdp%20%281%29.csv`,
      'content-security-policy': expect.stringContaining('sandbox'),
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
  });

  test('ends early when it differs from the stored content', async () => {
    await seedFileWithContent(console.aws, { fileId, body: 'the content', stored: 'the CONTENT' });
    await expect(visitor.get(`/files/${fileId}/content`)).rejects.toThrow();
  });

  test('of a new file is a page that explains its absence', async () => {
    await newFile();
    const { status, headers, text } = await visitor.get(`/files/${fileId}/content`);
    expect([status, text.includes('has no content yet')]).toEqual([422, true]);
    expect(headers['content-disposition']).toBeUndefined();
  });
});
