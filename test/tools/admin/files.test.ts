import { startAws } from '../../support/aws.ts';
import { adminOf, failure } from '../../support/run-admin.ts';
import { seedFileWithContent } from '../console/support/seed-uploads.ts';
import { fileItem } from './items.ts';

const aws = await startAws();

const run = adminOf(aws.deployment);
const create = (...flags: readonly string[]) =>
  run('file create --organisation acme --name orders.csv --json', ...flags);

describe('file create', () => {
  test('creates a file with a new id, not enabled', async () => {
    expect((await create()).json()).toMatchObject({
      file_id: expect.stringMatching(/^file_[0-9a-z]{26}$/),
      organisation_id: 'acme',
      name: 'orders.csv',
      sync_enabled: false,
    });
  });

  test('rejects an id that exists, of whichever organisation', async () => {
    await create('--id', 'taken', '--sync-enabled');
    const again = await run('file create --organisation other --name n --id taken');
    expect(again).toMatchObject({ code: 1, stdout: '', stderr: 'error: A file "taken" already exists.\n' });
    expect((await run('file show taken --json')).json()).toMatchObject({
      organisation_id: 'acme',
      sync_enabled: true,
    });
  });
});

test('enable-sync changes the setting, and nothing twice', async () => {
  await create('--id', 'switched');
  const enable = () => run('file enable-sync switched --json');
  expect((await enable()).json()).toMatchObject({ sync_enabled: true });
  expect(await enable()).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('was already enabled for "switched". Nothing was changed.'),
  });
});

describe('file set-expected', () => {
  const set = (id: string, every: string, ...flags: readonly string[]) =>
    run('file set-expected', id, '--every', every, ...flags);
  const shown = async (id: string) => (await run('file show --json', id)).json();

  test('watches a file with a grace time, and ends the watch', async () => {
    await create('--id', 'watched', '--sync-enabled');
    expect((await set('watched', '36h', '--grace', '90m')).stderr).toBe(
      'Content is expected every 36h, at most 90m late.\n',
    );
    const expected = { every_seconds: 129_600, grace_seconds: 5400 };
    expect(await shown('watched')).toMatchObject({ expected, expected_state: 'waiting' });
    expect((await run('file show watched')).stdout).toMatch(/^Arrival +waiting$/m);
    expect((await set('watched', 'never')).stderr).toContain('The file is not watched.');
    expect(Object.keys(await shown('watched')).filter((name) => /^expected/.test(name))).toEqual([]);
  });

  test('shows that the watch of a disabled file pauses', async () => {
    await create('--id', 'paused');
    const { stdout, stderr } = await set('paused', '400d', '--grace', '0s');
    expect(stdout).toMatch(/^Expected +every 400d, at most 0s late, paused$/m);
    expect(stderr).toBe('Content is expected every 400d, at most 0s late, paused.\n');
  });

  test.for([
    ['0s', '1h', '"0s" is not a duration from 15m to 400d: use a number and s, m, h or d, such as 7d.'],
    ['14m', '1h', '"14m" is not a duration'],
    ['401d', '1h', '"401d" is not a duration'],
    ['soon', '1h', '"soon" is not a duration'],
    ['1d', '401d', '"401d" is not a duration from 0s to 400d: use a number and s, m, h or d, such as 7d.'],
  ] as const)('rejects the interval %s with the grace time %s', async ([every, grace, message]) => {
    expect(await set('watched', every, '--grace', grace)).toMatchObject(failure(message, 2));
  });

  test('lists an overdue file, unless its watch pauses', async () => {
    const overdue = { expected_state: 'overdue', expected_by: '2026-01-31T09:00:00.000Z' };
    await aws.putItem('files', fileItem('late', 0, overdue));
    await aws.putItem('files', fileItem('stopped', 0, { ...overdue, suspended_at: overdue.expected_by }));
    expect((await run('file list --overdue --json')).json().data).toMatchObject([{ file_id: 'late' }]);
  });

  test('rejects a deleted file', async () => {
    await create('--id', 'gone');
    await run('file delete gone --yes');
    expect(await set('gone', '1d')).toMatchObject(failure('The file "gone" was deleted at'));
  });
});

test('file rename changes the name, who changed it when, and nothing else', async () => {
  await seedFileWithContent(aws, { fileId: 'kept', body: 'the content' });
  const before = (await run('file show kept --json')).json();
  const renamed = (await run('file rename kept --name new.csv --json')).json();
  const { content_type: _type, ...content } = before.content as Record<string, unknown>;
  const [updated_at, updated_by] = [expect.any(String), 'arn:aws:iam::000000000000:user/operator'];
  expect(renamed).toEqual({ ...before, content, name: 'new.csv', updated_at, updated_by });
  expect(renamed.updated_at).not.toBe(before.updated_at);
});

describe('content that was sent as a form', () => {
  const form = 'multipart/form-data; boundary=x';
  const warning = /Warning: this content was sent as a form .* curl --upload-file FILE instead of curl -F/;

  test('is shown as such, with a warning', async () => {
    await seedFileWithContent(aws, { fileId: 'form', body: '--x', contentType: form });
    const shown = await run('file show form');
    expect(shown.stdout).toMatch(/^ {2}Type +multipart\/form-data; boundary=x$/m);
    expect(shown.stderr).toMatch(warning);
    expect((await run('file show form --json')).json()).toMatchObject({
      content: { content_type: form },
    });
  });

  test('of another type is not', async () => {
    const contentType = 'application/x-www-form-urlencoded';
    await seedFileWithContent(aws, { fileId: 'form', body: 'a,b', contentType });
    expect((await run('file show form')).stderr).not.toContain('Warning');
  });

  test('of a type that cannot be read is shown, and the rest too', async () => {
    await seedFileWithContent(aws, { fileId: 'form', body: '--x', contentType: form });
    aws.deny(/GetObject/, 0, 1);
    const shown = await run('file show form --json');
    expect(shown).toMatchObject({ code: 0 });
    expect(shown.json()).toMatchObject({ content: { size: 3 } });
    expect(shown.stderr).toContain(
      'The type of the content could not be read. S3 responded with 403: the AWS credentials do not allow s3:GetObject or s3:GetObjectVersion, or are not valid.\n',
    );
  });

  test('that no longer exists is shown without a type', async () => {
    const recorded = { version_id: { S: await aws.putContent('another', 'x') } };
    await seedFileWithContent(aws, { fileId: 'gone', body: 'x', recorded });
    const shown = await run('file show gone --json');
    expect(shown).toMatchObject({ code: 0, stderr: '' });
    expect(shown.json().content).not.toHaveProperty('content_type');
  });
});

test.for(['show unknown', 'download unknown --output out'])('file %s fails', async (words) => {
  expect(await run(`file ${words}`)).toMatchObject(failure('error: There is no file "unknown".'));
});
