import { describe, expect, it } from 'vitest';
import { createFile } from '../../../tools/operator/files/file.ts';
import { getUpload } from '../../../tools/operator/uploads/upload.ts';
import { seedUpload } from './support/seed-uploads.ts';
import { startConsoleWithAws } from './support/serve.ts';
import { enter } from './support/visitor.ts';

const console = await startConsoleWithAws();
const visitor = await enter(console);
const file = { organisationId: 'acme', name: 'Orders of the night', syncEnabled: true, fileId: 'orders' };
await createFile(console.aws.deployment, file);

const seed = (changes: Partial<Parameters<typeof seedUpload>[1]> = {}) =>
  seedUpload(console.aws, { fileId: 'orders', ...changes });
const stateOf = async (id: string) => (await getUpload(console.aws.deployment, id)).state;

describe('an upload', () => {
  it.for([
    [{ state: 'completed', body: 'x', minutesAgo: 5 }, 'This upload is the content of the file'],
    [{ state: 'completed', body: 'x', superseded: true }, 'Newer content of the file'],
    [{ state: 'cancelled', minutesAgo: 5 }, 'It answers 412 until it expires.'],
    [{ state: 'expired', minutesAgo: 60 * 24 * 3 }, 'Nothing was recorded before'],
    [{ state: 'expired' }, 'may still be under way'],
    [{}, 'Waiting for the bytes'],
  ] as const)('%j says %s', async ([changes, told]) => {
    const { text } = await visitor.get(`/uploads/${await seed(changes)}`);
    expect(text).toContain(told);
    expect(text).toContain('<bdi>Upload of Orders of the night</bdi></h1>');
  });

  it('that does not exist is not found', async () => {
    expect((await visitor.get('/uploads/none')).status).toBe(404);
  });

  it('says from where its URL was asked for, and from where the bytes were sent', async () => {
    const from = { requestedFrom: '192.0.2.7', uploadedFrom: '2001:db8::9' };
    const id = await seed({ state: 'completed', body: 'x', ...from });
    const { text } = await visitor.get(`/uploads/${id}`);
    expect(text).toMatch(/<dt>URL requested from<\/dt><dd><span><code>192\.0\.2\.7</);
    expect(text).toMatch(/<dt>Content sent from<\/dt><dd><span><code>2001:db8::9</);
  });

  it('is cancelled after a confirmation, and a live part leaves the message to the next page', async () => {
    const id = await seed();
    const address = `/uploads/${id}/cancel`;
    expect((await visitor.get(address)).text).toContain('This cannot be undone');
    expect(await stateOf(id)).toBe('issued');
    const { headers } = await visitor.submit(address, address);
    expect(await stateOf(id)).toBe('cancelled');
    const page = headers.location ?? '';
    await visitor.get(page, { 'x-console-live': '1' });
    const message = 'The upload URL was cancelled. It answers 412.</bdi>';
    expect((await visitor.get(page)).text).toContain(message);
    expect((await visitor.get(page)).text).not.toContain(message);
  });
});
