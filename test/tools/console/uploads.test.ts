import { dynamoDBClient } from '../../../tools/operator/deployment/aws-clients.ts';
import { missingIn } from './support/read-page.ts';
import { seedFile } from './support/seed.ts';
import { seedUpload } from './support/seed-uploads.ts';
import { startConsoleWithAws } from './support/serve.ts';
import { enter } from './support/visitor.ts';

const console = await startConsoleWithAws();
const visitor = await enter(console);
const { name } = await seedFile(console.aws.deployment, 'orders', { name: 'Orders of the night' });

const seed = (changes: Partial<Parameters<typeof seedUpload>[1]> = {}) =>
  seedUpload(console.aws, { fileId: 'orders', ...changes });

describe('an upload', () => {
  test('that expired days ago is not read again', async () => {
    const { text } = await visitor.get(
      `/uploads/${await seed({ state: 'expired', minutesAgo: 60 * 24 * 3 })}`,
    );
    const parts = ['The upload is expired. ', 'css=#upload:not([hx-trigger]):not(:has(a.risky))'];
    expect(missingIn(text, parts)).toEqual([]);
  });

  test('keeps the message of an action for its own page, not a live part', async () => {
    const address = `/uploads/${await seed()}/cancel`;
    const { headers } = await visitor.submit(address, address);
    const page = headers.location ?? '';
    await visitor.get('/uploads');
    const part = await visitor.get(page, { 'x-console-live': '1' });
    expect(part.text).not.toContain('</html>');
    const message = 'css=[role="status"].note.good';
    expect(missingIn((await visitor.get(page)).text, [message])).toEqual([]);
    expect(missingIn((await visitor.get(page)).text, [message])).toEqual([message]);
  });

  test('has no name of a lost file in a list', async () => {
    await seed();
    const text = async () => (await visitor.get('/uploads')).text;
    expect(await text()).toContain(name);
    const gone = { TableName: 'test-files', Key: { file_id: { S: 'orders' } } };
    await (await dynamoDBClient(console.aws.deployment)).deleteItem(gone);
    expect(await text()).not.toContain(name);
  });
});
