import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { pickOutputs } from '../../../../contract/internal/stack-outputs.ts';
import type { Deployment } from '../../../../tools/operator/deployment/deployment.ts';
import { toolVersion } from '../../../../tools/operator/doctor/version.ts';
import { listen } from '../../../support/listen.ts';

/** Response of an operation: XML for the query protocol, an object for JSON. */
export interface Reply {
  /** Status code. Default: 200. */
  readonly status?: number;
  readonly body: string | object;
}

/** AWS account with one stack and its API, limited to the calls of `admin doctor`. */
export interface FakeAccount {
  readonly deployment: Deployment;
  /**
   * Replies by operation (`GetCallerIdentity`); `api` is the reply of the API. A test may replace each reply.
   */
  replies: Record<string, Reply>;
  /** Operations of the requests, in order. */
  readonly calls: string[];
  /** Last request body of each operation. */
  readonly sent: Record<string, string>;
}

export async function startFakeAccount(): Promise<FakeAccount> {
  const server = createServer();
  const baseUrl = await listen(server);
  const account: FakeAccount = {
    deployment: {
      stackName: 'prod',
      outputs: pickOutputs((name) => ({ BaseUrl: baseUrl, Version: toolVersion })[name as string] ?? name),
      awsConfig: {
        region: 'us-east-1',
        endpoint: baseUrl,
        credentials: { accessKeyId: 'operator', secretAccessKey: 'secret' },
      },
      now: Date.now,
    },
    replies: healthyReplies(baseUrl),
    calls: [],
    sent: {},
  };
  server.on('request', async (request, response) => {
    const sent = await text(request);
    const operation = operationOf(request, sent);
    account.calls.push(operation);
    account.sent[operation] = sent;
    const { status = 200, body } = account.replies[operation] ?? { status: 404, body: '' };
    response.writeHead(status);
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  return account;
}

function operationOf(request: IncomingMessage, body: string): string {
  if (request.method === 'GET') {
    return 'api';
  }
  const target = request.headers['x-amz-target'];
  return typeof target === 'string'
    ? (target.split('.').at(-1) ?? '')
    : (new URLSearchParams(body).get('Action') ?? '');
}

/** Creates the replies of an account without problems. */
function healthyReplies(baseUrl: string): Record<string, Reply> {
  return {
    GetCallerIdentity: {
      body: xml(
        'GetCallerIdentity',
        '<Arn>arn:aws:iam::111122223333:user/ada</Arn><Account>111122223333</Account>',
      ),
    },
    DescribeStacks: stackReply('UPDATE_COMPLETE'),
    ListStackResources: {
      body: xml(
        'ListStackResources',
        '<StackResourceSummaries>' +
          stackResource('AWS::CloudWatch::Alarm', 'a1') +
          stackResource('AWS::S3::Bucket', 'b') +
          '</StackResourceSummaries>',
      ),
    },
    DescribeAlarms: alarmReply({}),
    DescribeAlarmHistory: historyReply(),
    GetMetricData: metricsReply({}),
    ListSubscriptionsByTopic: subscriptionReply('arn:aws:sns:us-east-1:111122223333:topic:1'),
    GetSecretValue: keysReply(key('one', 'current'), nextKey),
    DescribeSecret: secretReply({}),
    DescribeTrails: { body: { trailList: [] } },
    GetQueueAttributes: queueReply(0, 0),
    Query: { body: { Items: [] } },
    Scan: { body: { Items: [] } },
    api: { body: { issuer: baseUrl } },
  };
}

/** Creates the reply for a topic with one address and the given subscription ARN. */
export function subscriptionReply(arn: string): Reply {
  const subscription = `<SubscriptionArn>${arn}</SubscriptionArn><Endpoint>ada@example.com</Endpoint>`;
  return { body: xml('ListSubscriptionsByTopic', `<Subscriptions>${member(subscription)}</Subscriptions>`) };
}

/** Creates a published key that entered its state the given number of days ago. Default: now. */
export function key(kid: string, state: string, days = 0) {
  return {
    jwk: { kty: 'EC', crv: 'P-256', x: 'xx', y: 'yy', kid, alg: 'ES256', use: 'sig' },
    state,
    since: new Date(Date.now() - days * 86_400_000).toISOString(),
    version: `version of ${kid}`,
  };
}

export const nextKey = { ...key('two', 'next'), usable_from: new Date().toISOString() };

export function keysReply(...keys: readonly object[]): Reply {
  return { body: { SecretString: JSON.stringify({ keys }) } };
}

/** @param more further members of the description, in XML */
export function stackReply(status: string, more = ''): Reply & { readonly body: string } {
  const stack = `<StackName>prod</StackName><StackStatus>${status}</StackStatus>${more}`;
  return { body: xml('DescribeStacks', `<Stacks>${member(stack)}</Stacks>`) };
}

/** Response of CloudFormation for a stack that does not exist. */
export const missingStack = {
  status: 400,
  body: '<ErrorResponse><Error><Code>ValidationError</Code><Message>Stack with id prod does not exist</Message></Error></ErrorResponse>',
};

export function alarmReply(...alarms: readonly object[]): Reply {
  const alarm = { AlarmName: 'a1', StateValue: 'OK', ActionsEnabled: true, AlarmActions: ['topic'] };
  return { body: { MetricAlarms: alarms.map((changes) => ({ ...alarm, ...changes })) } };
}

/** Creates the states of an alarm, newest first, a second apart. */
export function historyReply(...states: readonly string[]): Reply {
  const AlarmHistoryItems = states.map((stateValue, index) => ({
    Timestamp: 1_767_225_600 - index,
    HistoryData: JSON.stringify({ newState: { stateValue } }),
  }));
  return { body: { AlarmHistoryItems } };
}

/** Creates a value of each metric, an hour ago. */
export function metricsReply(values: Readonly<Record<string, number>>): Reply {
  const Timestamps = [Math.floor(Date.now() / 3_600_000) * 3600];
  const results = Object.entries(values).map(([Id, value]) => ({ Id, Timestamps, Values: [value] }));
  return { body: { MetricDataResults: results } };
}

export function secretReply(changes: object): Reply {
  const schedule = { RotationEnabled: true, RotationRules: { AutomaticallyAfterDays: 90 } };
  const VersionIdsToStages = { 'version of one': ['AWSCURRENT'], 'version of two': ['NEXT'] };
  // In this account, the value of each output is the name of the output.
  return { body: { ...schedule, VersionIdsToStages, KmsKeyId: 'SigningKeyKmsKeyArn', ...changes } };
}

export function queueReply(visible: number, received: number): Reply {
  return {
    body: {
      Attributes: {
        ApproximateNumberOfMessages: String(visible),
        ApproximateNumberOfMessagesNotVisible: String(received),
      },
    },
  };
}

/** Creates an error of the JSON protocol. */
export function jsonError(code: string, message: string): Reply {
  return { status: 400, body: { __type: code, message } };
}

export function xml(operation: string, result: string): string {
  return `<${operation}Response><${operation}Result>${result}</${operation}Result></${operation}Response>`;
}

export function member(content: string): string {
  return `<member>${content}</member>`;
}

function stackResource(type: string, name: string): string {
  const [id, known] = [
    `<LogicalResourceId>${name}</LogicalResourceId>`,
    `<ResourceType>${type}</ResourceType>`,
  ];
  return member(`${id}${known}<PhysicalResourceId>${name}</PhysicalResourceId>`);
}
