import { describe, expect, test } from 'vitest';
import { createFile } from '../../../tools/operator/files/file.ts';
import { detailsIn } from './support/read-page.ts';
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
    [{ state: 'completed', body: 'x', minutesAgo: 5 }, 'This upload is the content of the file.', ''],
    [{ state: 'completed', body: 'x', superseded: true }, 'Newer content of the file replaced', ''],
    [{ state: 'cancelled', minutesAgo: 5 }, 'It answers 412 until it expires.', ''],
    [{ state: 'expired', minutesAgo: 60 * 24 * 3 }, 'Nothing was recorded before', ''],
    [{ state: 'expired' }, 'may still be under way', 'every 10s, missed'],
    [{}, 'Waiting for the bytes', 'every 2s, missed'],
  ] as const)('%j says %s, and is read again: %s', async ([changes, told, trigger]) => {
    const { text } = await visitor.get(`/uploads/${await seed(changes)}`);
    expect(text).toContain(told);
    expect(text).toContain('<bdi>Upload of Orders of the night</bdi></h1>');
    expect(/id="upload" .*hx-trigger="([^"]+)"/.exec(text)?.[1] ?? '').toBe(trigger);
    expect(text.includes('Kept up to date.')).toBe(trigger !== '');
  });

  test.for(['/uploads/none', '/files/none', '/clients/none'])('%s is not found', async (address) => {
    expect((await visitor.get(address)).status).toBe(404);
  });

  test('has details, with names beside the ids of others', async () => {
    const from = { requestedFrom: '192.0.2.7', uploadedFrom: '2001:db8::9' };
    const id = await seed({ state: 'completed', body: 'x'.repeat(1536), ...from });
    const { text } = await visitor.get(`/uploads/${id}`);
    expect(detailsIn(text)).toMatchObject({
      'Upload ID': id,
      State: 'completed',
      File: 'Orders of the night orders',
      Client: 'client_1',
      'URL requested from': '192.0.2.7',
      Timeline: expect.stringMatching(/^[-\d]+ [:\d]+ UTC URL issued .* UTC Bytes sent 1\.5 KiB/),
      'Content sent from': '2001:db8::9',
      Size: '1.5 KiB (1536 bytes)',
    });
    expect(text).toContain('<span class="tag good">completed</span>');
    expect(text).toContain(`data-copy="uploads/${id}"`);
    expect(text).toContain('href="/files/orders" title="Orders of the night orders"');
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
