import type { Deployment } from '../../../tools/operator/deployment/deployment.ts';
import { diagnose } from '../../../tools/operator/doctor/diagnose.ts';
import type { Finding } from '../../../tools/operator/doctor/finding.ts';
import { checkStack } from '../../../tools/operator/doctor/stack.ts';
import { checkDeadLetters } from '../../../tools/operator/doctor/uploads.ts';
import { checkVersion } from '../../../tools/operator/doctor/version.ts';
import { admin } from '../../support/run-admin.ts';
import {
  alarmReply,
  historyReply,
  jsonError,
  key,
  keysReply,
  metricsReply,
  nextKey,
  queueReply,
  type Reply,
  secretReply,
  stackReply,
  startFakeAccount,
  subscriptionReply,
} from './support/fake-account.ts';

const account = await startFakeAccount();
const { replies: healthy } = account;

describe('a deployed stack', () => {
  beforeEach(() => {
    account.replies = { ...healthy };
  });

  const examine = () => diagnose(account.deployment);
  const states = (findings: readonly Finding[]) =>
    Object.fromEntries(findings.map(({ check, state }) => [check, state]));
  const checks = [
    'account',
    'clock',
    'stack',
    'version',
    'signing keys',
    'key rotation',
    'alarms',
    'past alarms',
    'failed runs',
    'requests',
    'readers',
    'audit',
    'dead letters',
    'due uploads',
    'secrets',
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
    expect(findingOf(findings, 'api')?.message).toMatch(/responded in \d+ ms$/);
  });

  test('names the roles of other accounts that may read content', async () => {
    const outputs = { ...account.deployment.outputs, ContentReaders: 'role/a, role/b' };
    const findings = await diagnose({ ...account.deployment, outputs });
    expect(findingOf(findings, 'readers')?.message).toBe('role/a, role/b');
  });

  const bucket = ['arn:aws:s3:::BucketName/'];
  const noTrail = 'no trail with advanced selectors keeps reads';

  test.for<readonly [string, string, boolean, object]>([
    ['reads of the bucket', 'reads of this bucket are kept by t1', true, { StartsWith: bucket }],
    ['reads, but stopped', noTrail, false, { StartsWith: bucket }],
    ['another bucket', noTrail, true, { StartsWith: ['arn:aws:s3:::b/'] }],
    ['other buckets', noTrail, true, { NotStartsWith: bucket }],
    ['changes', noTrail, true, { Field: 'readOnly', Equals: ['false'] }],
  ])('with a trail of %s reports: %s', async ([, name, IsLogging, condition]) => {
    const trailList = [{ Name: 't1', TrailARN: 'arn:aws:cloudtrail:us-east-1:111122223333:trail/t1' }];
    const FieldSelectors = [{ Field: 'resources.ARN', ...condition }];
    account.replies.DescribeTrails = { body: { trailList } };
    account.replies.GetTrailStatus = { body: { IsLogging } };
    account.replies.GetEventSelectors = { body: { AdvancedEventSelectors: [{ FieldSelectors }] } };
    expect(findingOf(await examine(), 'audit')?.message).toContain(name);
  });

  test('does not fail if the trails cannot be read', async () => {
    account.replies.DescribeTrails = { status: 400, body: { __type: 'AccessDeniedException' } };
    expect(findingOf(await examine(), 'audit')).toMatchObject({
      state: 'ok',
      message: expect.stringContaining('unknown, because the trails cannot be read.'),
    });
  });

  test('advises what to do if its version is not the version of the tool', () => {
    expect(checkVersion('1.2.3', '1.3.0')).toMatchObject({
      state: 'warning',
      message: 'The stack has version 1.2.3, and this tool has version 1.3.0.',
      advice: expect.stringMatching(/^Use version 1\.2\.3 of the tool, or deploy version 1\.3\.0:/),
    });
  });

  const rotatingSince = (secondsAgo: number) =>
    secretReply({
      VersionIdsToStages: { 'version of one': ['AWSCURRENT'], v2: ['AWSPENDING'] },
      LastChangedDate: Date.now() / 1000 - secondsAgo,
    });

  test.for<readonly [string, operation: string, Reply, check: string, state: string, RegExp]>([
    [
      'a damaged item',
      'Scan',
      { body: { Items: [{ file_id: { S: 'orders' } }] } },
      'items',
      'failed',
      / at: .*name.*\naws dynamodb get-item --table-name FilesTableName --key '{"file_id":{"S":"orders"}}'/,
    ],
    [
      'a failed stack',
      'DescribeStacks',
      stackReply('UPDATE_ROLLBACK_FAILED'),
      'stack',
      'failed',
      /was not rolled back.*`npx cdk rollback`/,
    ],
    [
      'an address that was not confirmed',
      'ListSubscriptionsByTopic',
      subscriptionReply('PendingConfirmation'),
      'alarms',
      'warning',
      /^No alarm is raised, but an alarm would not reach ada@example\.com: SNS waits/,
    ],
    [
      'a topic that may not be asked',
      'ListSubscriptionsByTopic',
      { status: 403, body: '<ErrorResponse><Error><Code>AuthorizationError</Code></Error></ErrorResponse>' },
      'alarms',
      'ok',
      /^1 alarm, none raised; an alarm notifies topic $/,
    ],
    ['monitoring=none', 'DescribeAlarms', alarmReply(), 'alarms', 'ok', /deployed with monitoring=none/],
    [
      'raised alarms',
      'DescribeAlarms',
      alarmReply(
        { AlarmName: 'b', StateValue: 'ALARM', AlarmDescription: 'replay' },
        { StateValue: 'ALARM', AlarmDescription: 'rotate' },
        { AlarmName: 'c' },
      ),
      'alarms',
      'failed',
      /^2 alarms raised: a1 \(rotate\); b \(replay\)\. $/,
    ],
    [
      'no alarm that tells anybody',
      'DescribeAlarms',
      alarmReply({ AlarmActions: [] }, { ActionsEnabled: false }),
      'alarms',
      'warning',
      /raised alarms notify nobody\..*SNS/,
    ],
    [
      'one alarm that tells nobody',
      'DescribeAlarms',
      alarmReply({ AlarmName: 'mute', ActionsEnabled: false }, {}),
      'alarms',
      'warning',
      /raised alarms notify nobody: mute\./,
    ],
    [
      'alarms that ended',
      'DescribeAlarmHistory',
      historyReply('OK', 'ALARM', 'OK', 'ALARM'),
      'past alarms',
      'news',
      /7 days: a1 \(last at 2025-12-31T23:59:59.000Z\)\. $/,
    ],
    [
      'a failed run',
      'GetMetricData',
      metricsReply({ rotation: 0, reconciliation: 1 }),
      'failed runs',
      'news',
      /^Last failed runs in 30 days: reconciliation in the hour from \S+:00:00.000Z\. $/,
    ],
    [
      'fewer than one rejected request in ten',
      'GetMetricData',
      metricsReply({ succeeded: 11, rejected: 1 }),
      'requests',
      'ok',
      /^1 of 11 requests were rejected \(4xx\) and 0 failed \(5xx\), since \S+Z $/,
    ],
    [
      'one unsuccessful request in ten',
      'GetMetricData',
      metricsReply({ succeeded: 20, rejected: 1, failed: 1 }),
      'requests',
      'warning',
      /^1 of 20 requests were rejected \(4xx\) and 1 failed \(5xx\), since \S+\. Find out/,
    ],
    [
      'an upload that is overdue',
      'Query',
      { body: { Items: ['2026-01-31', '1970-01-01'].map((S) => ({ due_at: { S } })) } },
      'due uploads',
      'failed',
      /^The oldest upload has been due for \d{6} h .*Then reconcile the uploads/,
    ],
    [
      'no schedule',
      'DescribeSecret',
      secretReply({ RotationEnabled: false }),
      'key rotation',
      'failed',
      /no rotation schedule.*Rotate the key/,
    ],
    [
      'a time for the next rotation',
      'DescribeSecret',
      secretReply({ NextRotationDate: Date.parse('2026-05-01') / 1000 }),
      'key rotation',
      'ok',
      /^every 90 days, the next time on 2026-05-01 $/,
    ],
    [
      'a rotation',
      'DescribeSecret',
      rotatingSince(5),
      'key rotation',
      'ok',
      /^a rotation is in progress, since 2/,
    ],
    [
      'a rotation that is stuck',
      'DescribeSecret',
      rotatingSince(3600),
      'key rotation',
      'failed',
      /^A rotation began at .* is stuck.*Then rotate the key/,
    ],
    [
      'a key of 92 days',
      'GetSecretValue',
      keysReply(key('one', 'current', 92), nextKey),
      'key rotation',
      'ok',
      /^every 90 days $/,
    ],
    [
      'a key of 93 days',
      'GetSecretValue',
      keysReply(key('one', 'current', 93), nextKey),
      'key rotation',
      'failed',
      /^The current key is 93 days old, but should rotate every 90 days\. Rotate the key/,
    ],
    [
      'no current key',
      'GetSecretValue',
      keysReply(nextKey),
      'signing keys',
      'failed',
      /no current key.*Rotate the key/,
    ],
    [
      'no next key',
      'GetSecretValue',
      keysReply(key('one', 'current')),
      'signing keys',
      'failed',
      /^one signs, but no next key/,
    ],
    [
      'a key set that was edited',
      'GetSecretValue',
      { body: { SecretString: '{' } },
      'signing keys',
      'failed',
      /edited by hand/,
    ],
    [
      'an API that fails',
      'api',
      { status: 500, body: '' },
      'api',
      'failed',
      /responded with 500.*logs for ERROR/,
    ],
    [
      'an API of another issuer',
      'api',
      { status: 499, body: { issuer: 'https://other' } },
      'api',
      'failed',
      /responded with 499 and names the issuer "https:\/\/other", so/,
    ],
    [
      'something else in place of the API',
      'api',
      { body: '<html>' },
      'api',
      'failed',
      /responded with 200 and names no issuer/,
    ],
  ])('with %s reports it, and passes all other checks', async ([, operation, reply, check, state, text]) => {
    account.replies[operation] = reply;
    const findings = await examine();
    expect(states(findings)).toEqual({ ...allOk, [check]: state });
    const finding = findingOf(findings, check);
    expect(`${finding?.message} ${finding?.advice ?? ''}`).toMatch(text);
  });

  test.for([
    [undefined, /domain, check its certificate and its DNS record\.$/],
    ['target.example.com', /DNS record: it must point at target\.example\.com\.$/],
  ] as const)(
    'whose API is not reached names the target of its record: %s',
    async ([DomainTarget, advice]) => {
      const outputs = { ...account.deployment.outputs, BaseUrl: 'http://127.0.0.1:1', DomainTarget };
      const findings = await diagnose({ ...account.deployment, outputs } as Deployment);
      expect(findingOf(findings, 'api')).toMatchObject({
        message: expect.stringMatching(/ cannot be reached: .+\.$/),
        advice: expect.stringMatching(advice),
      });
    },
  );

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
      const told = expect.objectContaining({ message, advice: expect.stringContaining('another role') });
      // Several checks depend on each of these.
      const dependents: Readonly<Record<string, number>> = { DescribeSecret: 2, Query: 2 };
      expect(failures).toEqual(Array(dependents[operation] ?? 1).fill(told));
    },
  );

  test('is shown line by line, and exits 1 when a check fails', async () => {
    const doctor = (...flags: readonly string[]) => admin(account.deployment, [...flags, 'doctor']);
    const well = await doctor('--stack', 'prod');
    expect(well.stdout).not.toContain('prod');
    expect(well).toMatchObject({ code: 0, stderr: 'Stack prod\nNo check failed.\n' });
    expect(well.stdout).toMatch(/^ok {4}account {7}arn:\S+ in account \d{12}, region us-east-1\n/);
    account.replies.GetQueueAttributes = queueReply(1, 2);
    const failed = await doctor('--local');
    // A local run skips the check of the stack, because it is not in CloudFormation.
    expect(failed).toMatchObject({ code: 1, stderr: 'error: 1 check of 15 failed.\n' });
    expect(failed.stdout).toMatch(
      /^FAIL {2}dead letters {2}3 upload events .*\n {2}admin --local upload replay$/m,
    );
    expect(failed.stdout).toMatch(/^ok {4}signing keys/m);
    const listed = await doctor('--local', '--json');
    expect(listed.code).toBe(1);
    expect(listed.json().data).toContainEqual({
      ...(await checkDeadLetters(account.deployment)),
      check: 'dead letters',
    });
  });

  test('warns of a machine whose clock is wrong', async () => {
    const skewed = { ...account.deployment, skew: () => -30 * 3_600_000 };
    expect(findingOf(await diagnose(skewed), 'clock')).toMatchObject({
      state: 'warning',
      message: expect.stringMatching(/^The clock of this machine is 30 h 00 min ahead of AWS\./),
    });
  });

  test('exits 0 when it only warns', async () => {
    account.replies.DescribeAlarms = alarmReply({ AlarmActions: [] });
    const warned = await admin(account.deployment, ['--stack', 'prod', 'doctor']);
    expect(warned).toMatchObject({ code: 0, stdout: expect.stringMatching(/^warn {2}alarms/m) });
  });
});
