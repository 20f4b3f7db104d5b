import { describe, expect, test } from 'vitest';
import { awsClock } from '../../../tools/operator/deployment/aws-clock.ts';
import { createFile } from '../../../tools/operator/files/file.ts';
import { getUpload } from '../../../tools/operator/uploads/upload.ts';
import { startAws } from '../../support/aws.ts';
import { adminOf } from '../../support/run-admin.ts';
import { putIssued } from './items.ts';

const aws = await startAws();
const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];

/**
 * Tests decisions that depend on AWS time. The linter reports other code in `tools/operator/` that reads the
 * machine's clock.
 */
describe.for([
  ['40 days ahead of', 40 * day],
  ['30 h behind', -30 * hour],
] as const)('while AWS is %s the machine', ([, ahead]) => {
  // Expiry times of records are in whole seconds.
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

  test('disable-sync cancels outstanding URLs', async () => {
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

  test('a list by time and status uses the time of AWS', async () => {
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

test('a command warns once of a wrong clock of its machine', async () => {
  const awsConfig = { ...aws.deployment.awsConfig };
  const deployment = { ...aws.deployment, awsConfig, now: awsClock({ awsConfig }).now };
  const tell = () =>
    awsClock({ awsConfig }).correctWith(async () => new Date(Date.now() - 2 * hour).toUTCString(), String);
  await tell();
  const { code, stdout, stderr } = await adminOf(deployment)('file', 'list', '--json');
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { data: expect.any(Array) }]);
  expect(stderr).toMatch(
    /^The clock of this machine is \d h \d\d min ahead of AWS\. The time of AWS is used instead\.\n$/,
  );
});
