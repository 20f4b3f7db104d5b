import { describe, expect, test } from 'vitest';
import { createFile } from '../../../tools/operator/files/file.ts';
import { seedUpload } from './support/seed-uploads.ts';
import { startConsoleWithAws } from './support/serve.ts';
import { enter } from './support/visitor.ts';

const console = await startConsoleWithAws();
const visitor = await enter(console);
const file = { organisationId: 'acme', name: 'Orders of the night', syncEnabled: true, fileId: 'orders' };
await createFile(console.aws.deployment, file);

const seed = (changes: Partial<Parameters<typeof seedUpload>[1]> = {}) =>
  seedUpload(console.aws, { fileId: 'orders', ...changes });

describe('an upload', () => {
  test.for([
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

  test.for(['/uploads/none', '/files/none', '/clients/none'])('%s is not found', async (address) => {
    expect((await visitor.get(address)).status).toBe(404);
  });

  test('says from where its URL was asked for and used', async () => {
    const from = { requestedFrom: '192.0.2.7', uploadedFrom: '2001:db8::9' };
    const id = await seed({ state: 'completed', body: 'x', ...from });
    const { text } = await visitor.get(`/uploads/${id}`);
    expect(text).toMatch(/<dt>URL requested from<\/dt><dd><span><code>192\.0\.2\.7</);
    expect(text).toMatch(/<dt>Content sent from<\/dt><dd><span><code>2001:db8::9</);
  });

  test('leaves what was done to the next page, not to a live part', async () => {
    const address = `/uploads/${await seed()}/cancel`;
    const { headers } = await visitor.submit(address, address);
    const page = headers.location ?? '';
    await visitor.get(page, { 'x-console-live': '1' });
    const message = 'The upload URL was cancelled. It answers 412.</bdi>';
    expect((await visitor.get(page)).text).toContain(message);
    expect((await visitor.get(page)).text).not.toContain(message);
  });
});
