import { waitForLastIssue } from '../../../tools/operator/files/last-issue.ts';
import { getUpload } from '../../../tools/operator/uploads/upload.ts';
import { startAws } from '../../support/aws.ts';
import { adminOf, failure } from '../../support/run-admin.ts';
import { seedFile } from '../console/support/seed.ts';
import { putIssued } from './items.ts';

let fileId: string;
let files = 0;

const aws = await startAws();
beforeEach(async () => {
  files += 1;
  fileId = `file-${files}`;
  await seedFile(aws.deployment, fileId);
});

const run = (...flags: readonly string[]) => adminOf(aws.deployment)(`file disable-sync ${fileId}`, ...flags);

const cancelAll = (duringWait = async () => {}) =>
  adminOf(aws.deployment, { duringWait })(`file disable-sync ${fileId} --cancel-uploads --yes --json`);

const sum = (waits: readonly number[]) => waits.reduce((all, wait) => all + wait, 0);
const issue = (minutesAgo = 1, of = fileId) => putIssued(aws, minutesAgo, { file_id: of });
const stateOf = async (id: string) => (await getUpload(aws.deployment, id)).state;

describe('without --cancel-uploads', () => {
  test('counts the URLs that still accept bytes, and names the next step', async () => {
    expect((await run()).stderr).toMatch(/No upload URL of this file is outstanding\.\n$/);
    await issue(90);
    await issue(26 * 60);
    const last = await issue(2);
    const { expires_at } = await getUpload(aws.deployment, last);
    const disabled = await run();
    expect(disabled.stdout).toMatch(/^Syncing +disabled$/m);
    expect(disabled).toMatchObject({
      code: 0,
      stderr:
        `Syncing was not enabled for "${fileId}". Nothing was changed. Bytes may still arrive through 2 upload URLs until ${expires_at}. A PUT that begins before then may end later.\n` +
        `Next steps:\n  admin --local file disable-sync ${fileId} --cancel-uploads\n`,
    });
    expect((await run('--json')).json()).toMatchObject({
      file_id: fileId,
      sync_enabled: false,
      uploads: { outstanding: 2, until: expires_at },
    });
    expect(await stateOf(last)).toBe('issued');
  });
});

test('several files need one confirmation, which counts them', async () => {
  await seedFile(aws.deployment, 'other');
  expect((await run('other')).stderr).toContain('This changes 2 files.');
  const { stdout } = await run('other', '--cancel-uploads', '--yes');
  expect(stdout).toContain(`"${fileId}": Syncing is disabled, and 0 upload URLs cancelled.\n`);
  expect(stdout).toContain('"other": Syncing is disabled,');
});

describe('with --cancel-uploads', () => {
  test('disables syncing, and cancels only the URLs of the file', async () => {
    const open = [await issue(), await issue(59), await issue(90)];
    const other = await issue(1, 'another-file');
    const old = await issue(26 * 60);
    const arrived = await issue();
    await aws.putContent(arrived, 'uploaded');
    const cancelled = await cancelAll();
    expect(cancelled.stderr).toMatch(/\nSyncing is disabled, and 3 upload URLs cancelled\.\n$/);
    expect(cancelled.json()).toMatchObject({ sync_enabled: false, uploads: { cancelled: 3 } });
    const tombstones = await Promise.all(open.map(aws.contentOf));
    expect(tombstones.map((found) => found?.tags.tombstone)).toEqual(open.map(() => 'cancelled'));
    const states = await Promise.all([...open, other, old, arrived].map(stateOf));
    expect(states).toEqual([...open.map(() => 'cancelled'), 'issued', 'expired', 'issued']);
  });

  test('asks first, and changes nothing without an answer', async () => {
    const id = await issue();
    const rejected = await run('--cancel-uploads');
    expect(rejected).toMatchObject(
      failure(
        `This disables syncing for "${fileId}" and cancels 1 upload URL through which bytes may still arrive. A cancelled URL responds with 412. Clients get new URLs only after syncing is enabled again.`,
        2,
      ),
    );
    expect(await stateOf(id)).toBe('issued');
    const shown = await adminOf(aws.deployment)(`file show ${fileId} --json`);
    expect(shown.json()).toMatchObject({ sync_enabled: true });
  });

  test('waits for pending requests, and cancels their URLs', async () => {
    const early = await issue();
    let late = '';
    const cancelled = await cancelAll(async () => {
      expect(await stateOf(early)).toBe('cancelled');
      late ||= await issue();
    });
    expect(cancelled.json()).toMatchObject({ uploads: { cancelled: 2 } });
    expect(await stateOf(late)).toBe('cancelled');
    expect(sum(cancelled.waits)).toBeGreaterThan(8_000);
    expect(sum(cancelled.waits)).toBeLessThanOrEqual(12_000);
  });
});

test('a change waits at most 12 s for earlier requests', async () => {
  const now = Date.parse('2026-01-31T09:00:00Z');
  const waitAfter = async (changedAt: string) => {
    const waits: number[] = [];
    const sleep = async (milliseconds: number) => void waits.push(milliseconds);
    const deployment = { ...aws.deployment, now: () => now };
    await waitForLastIssue(changedAt, { deployment, progress: () => undefined, sleep });
    return sum(waits);
  };
  expect(await waitAfter('2026-01-31T08:59:48Z')).toBe(0);
  expect(await waitAfter('2026-01-31T08:59:53Z')).toBe(5_000);
  // Time of a change, from a clock that is ahead of the tool's clock.
  expect(await waitAfter('2026-01-31T09:05:00Z')).toBe(12_000);
});

test('the wait prints its reason and remaining seconds', async () => {
  const told: string[] = [];
  const work = { progress: (sentence: string) => void told.push(sentence), sleep: async () => undefined };
  await waitForLastIssue('2026-01-31T08:59:50Z', {
    ...work,
    deployment: { ...aws.deployment, now: () => Date.parse('2026-01-31T09:00:00Z') },
  });
  const rest = 'for sync requests that began before the change. You can stop safely.';
  expect(told).toEqual([`Waiting 2 s ${rest}`, `Waiting 1 s ${rest}`]);
});
