import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { checkCredentials, checkRegion } from '../../../../tools/operator/doctor/account.ts';
import { diagnose } from '../../../../tools/operator/doctor/diagnose.ts';
import { checks, type Finding } from '../../../../tools/operator/doctor/finding.ts';
import { checkStack } from '../../../../tools/operator/doctor/stack.ts';
import { admin } from '../../../support/run-admin.ts';
import { type RunningStack, startRunningStack } from '../../../support/running-stack.ts';
import {
  alarmReply,
  type FakeAccount,
  jsonError,
  key,
  queryError,
  queueReply,
  type Reply,
  secretReply,
  stackReply,
  startFakeAccount,
  subscriptionReply,
} from '../support/fake-account.ts';

describe('a deployed stack', () => {
  let account: FakeAccount;
  let healthy: FakeAccount['replies'];

  beforeEach(async () => {
    account = await startFakeAccount();
    healthy = { ...account.replies };
  });
  afterEach(() => account.stop());

  const examine = () => diagnose({ kind: 'stack', name: 'prod', awsConfig: account.awsConfig });
  const states = (findings: readonly Finding[]) =>
    Object.fromEntries(findings.map(({ check, state }) => [check, state]));
  const allOk = Object.fromEntries(checks.map((check) => [check, 'ok']));
  const findingOf = (findings: readonly Finding[], check: string) =>
    findings.find((finding) => finding.check === check);

  test('in which nothing is wrong passes every check, in order', async () => {
    const findings = await examine();
    expect(states(findings)).toEqual(allOk);
    expect(findings.map(({ check }) => check)).toEqual(checks);
    expect(findingOf(findings, 'credentials')?.message).toBe(
      'arn:aws:iam::111122223333:user/ada in account 111122223333',
    );
    expect(findingOf(findings, 'api')?.message).toMatch(/answered in \d+ ms$/);
  });

  test('says where its alarms go, who has not confirmed, and that a stack with monitoring=none has none', async () => {
    account.replies.DescribeAlarms = alarmReply({});
    expect(findingOf(await examine(), 'alarms')).toMatchObject({
      state: 'ok',
      message: '1 alarm, none raised; told of one: topic',
    });
    account.replies.ListSubscriptionsByTopic = subscriptionReply('PendingConfirmation');
    expect(findingOf(await examine(), 'alarms')).toMatchObject({
      state: 'warning',
      message: 'No alarm is raised, but none would reach ada@example.com: SNS waits for a confirmation.',
    });
    account.replies.DescribeAlarms = { body: { MetricAlarms: [] } };
    expect(findingOf(await examine(), 'alarms')).toMatchObject({
      state: 'ok',
      message: 'none: the stack is deployed with monitoring=none',
    });
  });

  const faults: readonly (readonly [string, string, string, Reply, RegExp])[] = [
    ['a failed stack', 'stack', 'failed', stackReply('', 'UPDATE_ROLLBACK_FAILED'), /events of the stack/],
    [
      'a raised alarm',
      'alarms',
      'failed',
      alarmReply({ StateValue: 'ALARM', AlarmDescription: 'replay the dead letters' }),
      /1 alarm raised: a1 \(replay the dead letters\)/,
    ],
    [
      'an alarm that tells nobody',
      'alarms',
      'warning',
      alarmReply({ AlarmActions: [] }),
      /nobody is told.*SNS/,
    ],
    [
      'an alarm that tells nobody beside one that does',
      'alarms',
      'warning',
      alarmReply({}, { AlarmName: 'a2', AlarmActions: [] }),
      /nobody is told when one is: a2\./,
    ],
    ['dead letters', 'dead letters', 'failed', queueReply(2, 1), /^3 upload events.*replay the events/],
    [
      'no schedule',
      'key rotation',
      'failed',
      secretReply({ RotationEnabled: false }),
      /no rotation schedule.*Rotate the key/,
    ],
    [
      'a schedule of another function',
      'key rotation',
      'failed',
      secretReply({ RotationLambdaARN: 'arn:aws:lambda:us-east-1:111122223333:function:deleted' }),
      /another function.*:function:deleted.*off in Secrets Manager.*rotate the key/,
    ],
    [
      'a schedule of its function',
      'key rotation',
      'ok',
      secretReply({
        RotationLambdaARN: 'arn:aws:lambda:us-east-1:111122223333:function:RotateSigningKeyFunctionName',
      }),
      /^every 90 days/,
    ],
    [
      'a rotation that is stuck',
      'key rotation',
      'failed',
      secretReply({
        VersionIdsToStages: { v1: ['AWSCURRENT'], v2: ['AWSPENDING'] },
        LastChangedDate: Date.now() / 1000 - 3600,
      }),
      /^A rotation is stuck since .*Then rotate the key/,
    ],
    [
      'no current key',
      'signing keys',
      'failed',
      { body: { SecretString: JSON.stringify({ keys: [key('two', 'next')] }) } },
      /no current key.*Rotate the key/,
    ],
    [
      'no next key',
      'signing keys',
      'failed',
      { body: { SecretString: JSON.stringify({ keys: [key('one', 'current')] }) } },
      /^one signs, but no next key/,
    ],
    [
      'a key set that was edited',
      'signing keys',
      'failed',
      { body: { SecretString: '{' } },
      /edited by hand/,
    ],
    ['an API that fails', 'api', 'failed', { status: 500, body: '' }, /answered 500.*logs for ERROR/],
    [
      'an API that is throttled',
      'api',
      'failed',
      { status: 429, body: '' },
      /throttle of the route is reached/,
    ],
    ['an API of another issuer', 'api', 'failed', { body: { issuer: 'https://other' } }, /"https:\/\/other"/],
    ['something else in place of the API', 'api', 'failed', { body: '<html>' }, /did not answer with issuer/],
  ];
  const operations: Readonly<Record<string, string>> = {
    stack: 'DescribeStacks',
    alarms: 'DescribeAlarms',
    'dead letters': 'GetQueueAttributes',
    'key rotation': 'DescribeSecret',
    'signing keys': 'GetSecretValue',
    api: 'api',
  };

  test('tells each fault, and passes all the other checks', async () => {
    for (const [fault, check, state, reply, text] of faults) {
      account.replies = { ...healthy };
      const shown = check === 'stack' ? stackReply(account.baseUrl, 'UPDATE_ROLLBACK_FAILED') : reply;
      account.replies[operations[check] ?? ''] = shown;
      const findings = await examine();
      expect(states(findings), fault).toEqual({ ...allOk, [check]: state });
      const finding = findingOf(findings, check);
      expect(`${finding?.message} ${finding?.advice ?? ''}`, fault).toMatch(text);
    }
  });

  test.each([
    ['UPDATE_ROLLBACK_COMPLETE', 'The last deployment failed, and the version before it runs'],
    ['UPDATE_IN_PROGRESS', 'UPDATE_IN_PROGRESS'],
  ])('that is %s is warned of', async (status, text) => {
    account.replies.DescribeStacks = stackReply(account.baseUrl, status);
    const finding = findingOf(await examine(), 'stack');
    expect(finding).toMatchObject({ state: 'warning', message: expect.stringContaining(text) });
  });

  test.each([
    ['file-sync-prod', false, 'warning'],
    ['file-sync-prod', true, 'ok'],
    ['file-sync-dev', false, 'ok'],
  ])('%s with termination protection %s is %s', (StackName, EnableTerminationProtection, state) => {
    const CreationTime = new Date();
    const stack = {
      StackName,
      CreationTime,
      StackStatus: 'CREATE_COMPLETE',
      EnableTerminationProtection,
    } as const;
    expect(checkStack(stack).state).toBe(state);
  });

  test('whose rotation is under way, or whose key is as old as it may be, is well', async () => {
    account.replies.DescribeSecret = secretReply({
      VersionIdsToStages: { v1: ['AWSCURRENT'], v2: ['AWSPENDING'] },
      LastChangedDate: Date.now() / 1000 - 5,
    });
    expect(findingOf(await examine(), 'key rotation')).toMatchObject({
      state: 'ok',
      message: expect.stringContaining('under way'),
    });
    account.replies.DescribeSecret = secretReply({});
    for (const [days, state] of [
      [91, 'ok'],
      [93, 'failed'],
    ] as const) {
      const keys = [key('one', 'current', days), key('two', 'next')];
      account.replies.GetSecretValue = { body: { SecretString: JSON.stringify({ keys }) } };
      expect(findingOf(await examine(), 'key rotation')?.state).toBe(state);
    }
  });

  test('of which one thing may not be seen shows all the others', async () => {
    const denied = jsonError('AccessDeniedException', 'not authorized to perform: this');
    for (const operation of ['DescribeAlarms', 'GetSecretValue', 'DescribeSecret', 'GetQueueAttributes']) {
      const before = account.replies[operation];
      account.replies[operation] = denied;
      const findings = await examine();
      const failures = findings.filter(({ state }) => state !== 'ok');
      expect(failures).toMatchObject([
        {
          message: expect.stringContaining('do not allow this'),
          advice: expect.stringContaining('another role'),
        },
      ]);
      account.replies[operation] = before ?? denied;
    }
  });

  test('that does not exist is told, and what needs it is not checked', async () => {
    account.replies.DescribeStacks = queryError('ValidationError', 'Stack with id prod does not exist');
    account.replies.ListStackResources = account.replies.DescribeStacks;
    const findings = await examine();
    expect(states(findings)).toMatchObject({
      credentials: 'ok',
      stack: 'failed',
      outputs: 'not_checked',
      api: 'not_checked',
    });
    expect(findingOf(findings, 'stack')?.message).toContain('There is no stack "prod" in region us-east-1');
  });

  test('of another service is told by the outputs that it lacks', async () => {
    account.replies.DescribeStacks = stackReply(account.baseUrl, 'CREATE_COMPLETE', ['BaseUrl']);
    expect(states(await examine())).toMatchObject({
      stack: 'ok',
      outputs: 'failed',
      'signing keys': 'not_checked',
    });
  });

  test('that bad credentials keep from being seen', async () => {
    account.replies.GetCallerIdentity = queryError('InvalidClientTokenId', 'The security token is invalid');
    const findings = await examine();
    expect(states(findings)).toMatchObject({
      region: 'ok',
      credentials: 'failed',
      stack: 'not_checked',
      alarms: 'not_checked',
      api: 'not_checked',
    });
    expect(findingOf(findings, 'credentials')?.message).toContain('Check AWS_PROFILE');
  });

  test('without a region says so once', () => {
    const missing = { error: new Error('Region is missing') };
    const identity = { region: missing, caller: missing };
    expect(checkRegion(identity)).toMatchObject({
      state: 'failed',
      message: expect.stringContaining('AWS_REGION'),
    });
    expect(checkCredentials(identity)).toMatchObject({ state: 'not_checked' });
  });
});

describe('the local run', () => {
  let stack: RunningStack;

  beforeAll(async () => {
    stack = await startRunningStack();
  });
  afterAll(() => stack?.close());

  const doctor = (...flags: readonly string[]) => admin(stack.deployment, ['--local', 'doctor', ...flags]);

  test('is well, and says what cannot be checked there', async () => {
    const { code, stdout, stderr } = await doctor();
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'Nothing failed.\n' });
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(checks.length);
    expect(lines[0]).toBe(`ok           region        ${stack.stack.region}`);
    expect(
      lines.filter((line) => line.startsWith('not checked')).map((line) => line.slice(13, 25).trim()),
    ).toEqual(['stack']);
  });

  test('exits 1 when a check fails, and shows the others', async () => {
    const { outputs } = stack.deployment;
    const broken = { ...stack.deployment, outputs: { ...outputs, BaseUrl: 'http://127.0.0.1:9' } };
    const failed = await admin(broken, ['--local', 'doctor']);
    expect(failed).toMatchObject({ code: 1, stderr: 'error: 1 check of 9 failed.\n' });
    expect(failed.stdout).toMatch(/^FAIL {9}api {11}http:\S+ cannot be reached: .* Check the network/m);
    expect(failed.stdout).toMatch(/^ok {11}signing keys/m);
    expect((await admin(broken, ['--local', 'doctor', '--json'])).json().data).toHaveLength(9);
  });
});
