import { beforeEach, describe, expect, test } from 'vitest';
import { sqsClient } from '../../../tools/operator/deployment/aws-clients.ts';
import { diagnose } from '../../../tools/operator/doctor/diagnose.ts';
import type { Finding } from '../../../tools/operator/doctor/finding.ts';
import { checkStack } from '../../../tools/operator/doctor/stack.ts';
import { checkDeadLetters } from '../../../tools/operator/doctor/uploads.ts';
import { startAws } from '../../support/aws.ts';
import { admin } from '../../support/run-admin.ts';
import {
  alarmReply,
  type FakeAccount,
  jsonError,
  key,
  keysReply,
  nextKey,
  queueReply,
  type Reply,
  secretReply,
  stackReply,
  startFakeAccount,
  subscriptionReply,
} from './support/fake-account.ts';

describe('a deployed stack', () => {
  let account: FakeAccount;

  beforeEach(async () => {
    account = await startFakeAccount();
  });

  const examine = () => diagnose(account.deployment, 'stack');
  const states = (findings: readonly Finding[]) =>
    Object.fromEntries(findings.map(({ check, state }) => [check, state]));
  const checks = [
    'account',
    'stack',
    'signing keys',
    'key rotation',
    'alarms',
    'readers',
    'dead letters',
    'due uploads',
    'items',
    'api',
  ];
  const allOk = Object.fromEntries(checks.map((check) => [check, 'ok']));
  const findingOf = (findings: readonly Finding[], check: string) =>
    findings.find((finding) => finding.check === check);

  test('in which nothing is wrong passes every check, in order', async () => {
    const findings = await examine();
    expect(states(findings)).toEqual(allOk);
    expect(findings.map(({ check }) => check)).toEqual(checks);
    expect(findingOf(findings, 'account')?.message).toBe(
      'arn:aws:iam::111122223333:user/ada in account 111122223333, region us-east-1',
    );
    expect(findingOf(findings, 'api')?.message).toMatch(/answered in \d+ ms$/);
    expect(findingOf(findings, 'alarms')?.message).toBe('1 alarm, none raised; an alarm notifies topic');
  });

  test('says which roles of other accounts may read content', async () => {
    const outputs = { ...account.deployment.outputs, ContentReaders: 'role/a, role/b' };
    const findings = await diagnose({ ...account.deployment, outputs }, 'stack');
    expect(findingOf(findings, 'readers')?.message).toBe('role/a, role/b');
  });

  test.for<readonly [string, operation: string, check: string, state: string, Reply, RegExp]>([
    [
      'a damaged item',
      'Scan',
      'items',
      'failed',
      { body: { Items: [{ file_id: { S: 'orders' } }] } },
      / at: .*name.*\naws dynamodb get-item --table-name FilesTableName --key '{"file_id":{"S":"orders"}}'/,
    ],
    [
      'a failed stack',
      'DescribeStacks',
      'stack',
      'failed',
      stackReply('UPDATE_ROLLBACK_FAILED'),
      /events of the stack/,
    ],
    [
      'a raised alarm',
      'DescribeAlarms',
      'alarms',
      'failed',
      alarmReply({ StateValue: 'ALARM', AlarmDescription: 'replay the dead letters' }),
      /1 alarm raised: a1 \(replay the dead letters\)/,
    ],
    [
      'an alarm that tells nobody',
      'DescribeAlarms',
      'alarms',
      'warning',
      alarmReply({ AlarmActions: [] }),
      /nobody is told.*SNS/,
    ],
    [
      'an upload that is overdue',
      'Query',
      'due uploads',
      'failed',
      { body: { Items: ['2026-01-31', '1970-01-01'].map((S) => ({ due_at: { S } })) } },
      /^The oldest upload has been due for \d{6} h .*Then reconcile the uploads/,
    ],
    [
      'a deployment that failed',
      'DescribeStacks',
      'stack',
      'warning',
      stackReply('UPDATE_ROLLBACK_COMPLETE'),
      / The last deployment failed, and the previous version runs/,
    ],
    [
      'a deployment under way',
      'DescribeStacks',
      'stack',
      'warning',
      stackReply('UPDATE_IN_PROGRESS'),
      /UPDATE_IN_PROGRESS/,
    ],
    [
      'an address that nobody has confirmed',
      'ListSubscriptionsByTopic',
      'alarms',
      'warning',
      subscriptionReply('PendingConfirmation'),
      /^No alarm is raised, but an alarm would not reach ada@example.com: SNS waits for a confirmation/,
    ],
    ['monitoring=none', 'DescribeAlarms', 'alarms', 'ok', alarmReply(), /^none: .* with monitoring=none/],
    [
      'a key of 91 days',
      'GetSecretValue',
      'key rotation',
      'ok',
      keysReply(key('one', 'current', 91), nextKey),
      /^every 90 days/,
    ],
    [
      'a key of 93 days',
      'GetSecretValue',
      'key rotation',
      'failed',
      keysReply(key('one', 'current', 93), nextKey),
      /93 days/,
    ],
    [
      'a rotation under way',
      'DescribeSecret',
      'key rotation',
      'ok',
      secretReply({
        VersionIdsToStages: { v1: ['AWSCURRENT'], v2: ['AWSPENDING'] },
        LastChangedDate: Date.now() / 1000 - 5,
      }),
      /under way/,
    ],
    [
      'no schedule',
      'DescribeSecret',
      'key rotation',
      'failed',
      secretReply({ RotationEnabled: false }),
      /no rotation schedule.*Rotate the key/,
    ],
    [
      'a rotation that is stuck',
      'DescribeSecret',
      'key rotation',
      'failed',
      secretReply({
        VersionIdsToStages: { v1: ['AWSCURRENT'], v2: ['AWSPENDING'] },
        LastChangedDate: Date.now() / 1000 - 3600,
      }),
      /^A rotation began at .* is stuck.*Then rotate the key/,
    ],
    [
      'no current key',
      'GetSecretValue',
      'signing keys',
      'failed',
      keysReply(nextKey),
      /no current key.*Rotate the key/,
    ],
    [
      'no next key',
      'GetSecretValue',
      'signing keys',
      'failed',
      keysReply(key('one', 'current')),
      /^one signs, but no next key/,
    ],
    [
      'a key set that was edited',
      'GetSecretValue',
      'signing keys',
      'failed',
      { body: { SecretString: '{' } },
      /edited by hand/,
    ],
    ['an API that fails', 'api', 'api', 'failed', { status: 500, body: '' }, /answered 500.*logs for ERROR/],
    [
      'an API of another issuer',
      'api',
      'api',
      'failed',
      { body: { issuer: 'https://other' } },
      /"https:\/\/other"/,
    ],
    [
      'something else in place of the API',
      'api',
      'api',
      'failed',
      { body: '<html>' },
      /answered 200 and names no issuer/,
    ],
  ])('with %s tells so, and passes all other checks', async ([, operation, check, state, reply, text]) => {
    account.replies[operation] = reply;
    const findings = await examine();
    expect(states(findings)).toEqual({ ...allOk, [check]: state });
    const finding = findingOf(findings, check);
    expect(`${finding?.message} ${finding?.advice ?? ''}`).toMatch(text);
  });

  test.for([
    ['file-sync-prod', false, 'warning'],
    ['file-sync-prod', true, 'ok'],
    ['file-sync-dev', false, 'ok'],
  ] as const)(
    '%s with termination protection %s is %s',
    ([StackName, EnableTerminationProtection, state]) => {
      const CreationTime = new Date();
      const stack = {
        StackName,
        CreationTime,
        StackStatus: 'CREATE_COMPLETE',
        EnableTerminationProtection,
      } as const;
      expect(checkStack(stack).state).toBe(state);
    },
  );

  test.for(['DescribeAlarms', 'GetSecretValue', 'DescribeSecret', 'GetQueueAttributes', 'Query'])(
    'of which %s may not be called shows all the rest',
    async (operation) => {
      account.replies[operation] = jsonError('AccessDeniedException', 'not authorized to perform: this');
      const failures = (await examine()).filter(({ state }) => state !== 'ok');
      const message = expect.stringContaining('do not allow this');
      expect(failures).toMatchObject([{ message, advice: expect.stringContaining('another role') }]);
    },
  );

  test('is shown line by line, and exits 1 when a check fails', async () => {
    const doctor = (...flags: readonly string[]) => admin(account.deployment, [...flags, 'doctor']);
    const well = await doctor('--stack', 'prod');
    expect(well).toMatchObject({ code: 0, stderr: 'Nothing failed.\n' });
    expect(well.stdout).toMatch(/^ok {4}account {7}arn:\S+ in account \d{12}, region us-east-1\n/);
    account.replies.GetQueueAttributes = queueReply(1, 0);
    const failed = await doctor('--local');
    // A local run has no stack in CloudFormation.
    expect(failed).toMatchObject({ code: 1, stderr: 'error: 1 check of 9 failed.\n' });
    expect(failed.stdout).toMatch(
      /^FAIL {2}dead letters {2}1 upload event .*\n {2}admin --local upload replay$/m,
    );
    expect(failed.stdout).toMatch(/^ok {4}signing keys/m);
    const listed = await doctor('--local', '--json');
    expect(listed.code).toBe(1);
    expect(listed.json().data).toContainEqual({
      ...(await checkDeadLetters(account.deployment)),
      check: 'dead letters',
    });
  });

  test('exits 0 when it only warns', async () => {
    account.replies.DescribeAlarms = alarmReply({ AlarmActions: [] });
    const warned = await admin(account.deployment, ['--stack', 'prod', 'doctor']);
    expect(warned).toMatchObject({ code: 0, stdout: expect.stringMatching(/^warn {2}alarms/m) });
  });
});

test('a dead letter in flight is counted', async () => {
  const { deployment, sendLetter } = await startAws();
  await sendLetter('{}');
  const QueueUrl = deployment.outputs.DeadLetterQueueUrl;
  await (await sqsClient(deployment)).receiveMessage({ QueueUrl });
  const message = expect.stringMatching(/^1 upload event/);
  expect(await checkDeadLetters(deployment)).toMatchObject({ state: 'failed', message });
});
