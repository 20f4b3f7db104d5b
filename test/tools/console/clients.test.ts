import { find, missingIn, parse } from './support/read-page.ts';
import { seedClient } from './support/seed.ts';
import { seedUpload } from './support/seed-uploads.ts';
import { startConsoleWithAws } from './support/serve.ts';
import { enter, tokenOf } from './support/visitor.ts';

const console = await startConsoleWithAws();
const visitor = await enter(console);

const seed = async (name: string) => (await seedClient(console.aws.deployment, name)).client_id;

describe('a client', () => {
  test('is created, with its secret and lines to copy, shown once', async () => {
    const form = '/clients/+create';
    const entered = { organisation: 'acme', name: 'Nightly export' };
    const rejected = await visitor.submit(form, form, entered);
    const parts = [
      'role=group[name="Scopes"][aria-describedby="about-scope"]',
      'role=textbox[name="Name"][value="Nightly export"]:not([aria-invalid])',
      'css=#about-scope [role="alert"]',
      'A client needs at least one scope.',
    ];
    expect([rejected.status, missingIn(rejected.text, parts)]).toEqual([422, []]);
    const { headers } = await visitor.submit(form, form, { ...entered, scope: 'volume:read' });
    const { text } = await visitor.get(headers.location ?? '');
    const page = parse(text);
    const lines = find(page, 'css=pre[translate="no"]')[0]?.textContent ?? '';
    const [, secret = ''] = /^export FILE_SYNC_CLIENT_SECRET=(fss_.*)$/m.exec(lines) ?? [];
    const copied = find(page, 'css=pre + div button').map((button) => button.getAttribute('data-copy'));
    expect(copied).toEqual([lines, secret]);
    expect(find(page, 'css=[role="status"].note.good')).toHaveLength(1);
    expect((await visitor.get(headers.location ?? '')).text).not.toContain(secret);
  });

  test('is created once by a form that is sent ten times', async () => {
    const form = '/clients/+create';
    const token = tokenOf((await visitor.get(form)).text, form);
    const fields = { token, organisation: 'ten-clicks', name: 'Ten clicks', scope: 'volume:read' };
    const send = () => visitor.post(form, String(new URLSearchParams(fields)));
    const places = (await Promise.all(Array.from({ length: 10 }, send))).map(
      ({ headers }) => headers.location,
    );
    expect(new Set(places).size).toBe(1);
    expect((await visitor.get('/clients?organisation=ten-clicks')).text).toContain('1 client.');
    expect((await visitor.get(places[0] ?? '')).text).toContain('FILE_SYNC_CLIENT_SECRET=');
  });

  test('shows its last uploads, and leads to all', async () => {
    const id = await seed('Uploads');
    for (let minutesAgo = 1; minutesAgo <= 10; minutesAgo += 1) {
      await seedUpload(console.aws, { fileId: `file-${minutesAgo}`, clientId: id, minutesAgo });
      await seedUpload(console.aws, { fileId: 'other', clientId: 'client_other', minutesAgo });
    }
    const page = await visitor.get(`/clients/${id}`);
    const [part] = find(parse(page.text), 'css=#uploads[hx-trigger="load, missed"]');
    const { text } = await visitor.get(part?.getAttribute('hx-get') ?? '');
    const shown = find(parse(text), 'css=a.main').map(({ textContent }) => textContent);
    expect(shown).toEqual(Array.from({ length: 8 }, (_, index) => `file-${index + 1}`));
    expect(missingIn(text, [`role=link[name="Show all"][href="/uploads?client=${id}"]`])).toEqual([]);
  });
});
