import { describe, expect, test } from 'vitest';
import { awsClock } from '../../../tools/operator/deployment/aws-clock.ts';
import { createFile } from '../../../tools/operator/files/file.ts';
import { getUpload } from '../../../tools/operator/uploads/upload.ts';
import { startAws } from '../../support/aws.ts';
import { adminOf } from '../../support/run-admin.ts';
import { putIssued } from './items.ts';

const aws = await startAws();
const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];

/** Every decision, by the time of AWS: of the deployment, and not of this machine. */
describe.for([
  ['40 days ahead of', 40 * day],
  ['2 h ahead of', 2 * hour],
  ['2 h behind', -2 * hour],
  ['30 h behind', -30 * hour],
] as const)('while AWS is %s the machine', ([, ahead]) => {
  // Ends of records are in whole seconds.
  const time = Math.floor(Date.now() / 1000) * 1000 + ahead;
  const deployment = { ...aws.deployment, now: () => time };
  const run = adminOf(deployment);
  const issuedAt = (minutesAgo: number, file: string) =>
    putIssued(aws, minutesAgo - ahead / minute, { file_id: file });
  const minutesUntil = (at: unknown) => (Date.parse(String(at)) - time) / minute;
  const newFile = async () => {
    const file = { organisationId: 'acme', name: 'n', syncEnabled: true };
    return createFile(deployment, file);
  };

  test('a live URL is cancelled, and one of yesterday is over', async () => {
    const live = await run('upload', 'cancel', await issuedAt(59, 'one'), '--json');
    expect(live.json()).toMatchObject({ state: 'cancelled' });
    expect([live.json().cancelled_at, live.json().updated_at].map(minutesUntil)).toEqual([0, 0]);
    const over = await run('upload', 'cancel', await issuedAt(26 * 60, 'one'));
    expect(over.stderr).toContain('is expired already, and nothing can arrive any more.');
  });

  test('disable-sync cancels what is outstanding', async () => {
    const { file_id, created_at } = await newFile();
    expect(minutesUntil(created_at)).toBe(0);
    const states = [
      await issuedAt(1, file_id),
      await issuedAt(90, file_id),
      await issuedAt(26 * 60, file_id),
    ];
    const { stderr } = await run('file', 'disable-sync', file_id, '--cancel-uploads', '--yes');
    expect(stderr).toContain('and 2 upload URLs cancelled.');
    expect((await getUpload(deployment, states[2] ?? '')).state).toBe('expired');
  });

  test('an old secret lives for its grace time', async () => {
    const words = ['--organisation', 'acme', '--name', 'n', '--scope', 'volume:read', '--json'];
    const { client_id: id, created_at } = (await run('client', 'create', ...words)).json();
    expect(minutesUntil(created_at)).toBe(0);
    const rotated = (await run('client', 'rotate-secret', `${id}`, '--grace', '1h', '--json')).json();
    const secrets = rotated.secrets as readonly { readonly ends_at?: string; readonly created_at: string }[];
    expect(secrets.map(({ ends_at }) => ends_at && minutesUntil(ends_at))).toEqual([60, undefined]);
    expect(secrets.map(({ created_at }) => minutesUntil(created_at))).toEqual([0, 0]);
    // Two secrets live still.
    expect((await run('client', 'add-secret', `${id}`)).code).toBe(1);
    const revoked = (await run('client', 'revoke', `${id}`, '--json')).json();
    expect(minutesUntil(revoked.revoked_at)).toBe(0);
    const deleted = (await run('client', 'delete', `${id}`, '--yes', '--json')).json();
    expect(minutesUntil(deleted.deleted_at)).toBe(0);
    expect(minutesUntil(deleted.delete_after)).toBe(30 * 24 * 60);
  });

  test('a deletion keeps records for the retention', async () => {
    const { file_id } = await newFile();
    const upload = await issuedAt(1, file_id);
    const deleted = (await run('file', 'delete', file_id, '--yes', '--json')).json();
    expect(deleted).toMatchObject({ uploads: 1, cancelled: 1 });
    expect(minutesUntil(deleted.deleted_at)).toBe(0);
    const { deleted_at, delete_after } = await getUpload(deployment, upload);
    const ends = [deleted.delete_after, deleted_at, delete_after].map(minutesUntil);
    expect(ends).toEqual([30 * 24 * 60, 0, 30 * 24 * 60]);
  });

  test('a list by time and status has what AWS would have', async () => {
    const file = (await newFile()).file_id;
    const [young, old] = [await issuedAt(20, file), await issuedAt(75, file)];
    const idsOf = async (...filters: readonly string[]) => {
      const { data } = (await run('upload', 'list', '--file', file, ...filters, '--json')).json();
      return (data as readonly { readonly upload_id: string }[]).map(({ upload_id }) => upload_id);
    };
    expect(await idsOf('--since', '30m')).toEqual([young]);
    expect(await idsOf('--until', '30m')).toEqual([old]);
    expect(await idsOf('--status', 'issued')).toEqual([young]);
    expect(await idsOf('--status', 'expired')).toEqual([old]);
    expect((await run('upload', 'show', young)).stdout).toMatch(/ {2}URL expires/);
  });
});

test('a command says once that the clock of its machine is wrong', async () => {
  const awsConfig = { ...aws.deployment.awsConfig };
  const deployment = { ...aws.deployment, awsConfig, now: awsClock({ awsConfig }).now };
  const tell = () =>
    awsClock({ awsConfig }).learnFrom(async () => new Date(Date.now() - 2 * hour).toUTCString(), String);
  await tell();
  const { code, stdout, stderr } = await adminOf(deployment)('file', 'list', '--json');
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { data: expect.any(Array) }]);
  expect(stderr).toMatch(
    /^The clock of this machine is \d h \d\d min ahead of AWS\. The time of AWS is used instead\.\n$/,
  );
});
