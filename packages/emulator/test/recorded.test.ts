import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  RotateSecretCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import {
  DeleteMessageCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { AssumeRoleCommand, GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { HttpRequest } from '@smithy/core/protocols';
import { Hash } from '@smithy/core/serde';
import { SignatureV4 } from '@smithy/signature-v4';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AwsServices } from '../aws-services.ts';
import {
  type AwsRuns,
  clientFor,
  functionRole,
  prepareRuns,
  resource,
  roleArnOf,
} from './support/aws-services.ts';

/**
 * Answers of the other services as they were recorded from AWS. LocalStack's project keeps the recordings
 * (github.com/localstack/localstack, `tests/aws/services`).
 */

const secret = resource('Secret', 'AWS::SecretsManager::Secret', {});
const queue = resource('Queue', 'AWS::SQS::Queue', {});
const resources = [
  secret,
  queue,
  ...functionRole('Role', { Effect: 'Allow', Action: 'secretsmanager:GetSecretValue', Resource: secret.ref }),
];
const QueueUrl = queue.ref;
const SecretId = secret.ref;

let runs: AwsRuns;
let aws: AwsServices;

beforeAll(async () => {
  runs = await prepareRuns(resources);
  aws = await runs.start({
    invoke: async (name) => {
      if (name === 'busy') {
        const errorMessage = 'Rate Exceeded.';
        return { ok: false, error: { errorType: 'TooManyRequestsException', errorMessage } };
      }
      throw new Error(`no function ${name}`);
    },
  });
});
afterAll(() => runs.end());

/** Sends a signed POST by hand, to see the answer as it is on the wire. */
async function post(service: string, path: string, body: string, contentType: string) {
  const { hostname, port, host } = new URL(aws.endpoint);
  const signer = new SignatureV4({
    service,
    region: 'us-east-1',
    credentials: aws.operatorCredentials,
    sha256: Hash.bind(null, 'sha256'),
  });
  const signed = await signer.sign(
    new HttpRequest({
      method: 'POST',
      protocol: 'http:',
      hostname,
      port: Number(port),
      path,
      headers: { host, 'content-type': contentType },
      body,
    }),
  );
  const answer = await fetch(`${aws.endpoint}${path}`, { method: 'POST', headers: signed.headers, body });
  const { status, headers } = answer;
  return {
    status,
    type: headers.get('content-type'),
    error: headers.get('x-amzn-errortype'),
    body: await answer.text(),
  };
}

const form = 'application/x-www-form-urlencoded';

describe('STS', () => {
  const withSts = async (
    act: (sts: STSClient) => Promise<unknown>,
    credentials = aws.operatorCredentials,
  ) => {
    const sts = new STSClient(clientFor(aws, credentials));
    try {
      return await act(sts);
    } finally {
      sts.destroy();
    }
  };

  it('calls a role ARN and a session name invalid in the recorded words', async () => {
    const assume = (RoleArn: string, RoleSessionName: string) =>
      withSts((sts) => sts.send(new AssumeRoleCommand({ RoleArn, RoleSessionName })));
    await expect(assume('nothing-valid-in-here', 'Session')).rejects.toMatchObject({
      name: 'ValidationError',
      message: 'nothing-valid-in-here is invalid',
    });
    await expect(assume(roleArnOf('Role'), 'Session1:2')).rejects.toMatchObject({
      name: 'ValidationError',
      message: expect.stringContaining(
        "Value 'Session1:2' at 'roleSessionName' failed to satisfy constraint",
      ),
    });
  });

  it('refuses credentials under the names of the query protocol', async () => {
    const identify = (credentials: typeof aws.operatorCredentials) =>
      withSts((sts) => sts.send(new GetCallerIdentityCommand({})), credentials);
    const { operatorCredentials: known } = aws;
    await expect(identify({ ...known, accessKeyId: 'AKIAUNKNOWN' })).rejects.toMatchObject({
      name: 'InvalidClientTokenId',
    });
    await expect(identify({ ...known, secretAccessKey: 'wrong' })).rejects.toMatchObject({
      name: 'SignatureDoesNotMatch',
    });
  });
});

it.each(['sts', 'cloudformation'])('%s answers errors of its query protocol in XML', async (service) => {
  const { status, type, body } = await post(service, '/', 'Action=NoSuchThing&Version=1', form);
  expect([status, type]).toEqual([400, 'text/xml']);
  expect(body).toMatch(/<ErrorResponse xmlns="[^"]+"><Error><Type>Sender<\/Type><Code>InvalidAction<\/Code>/);
});

describe('Lambda', () => {
  const invoke = (name: string) =>
    post('lambda', `/2015-03-31/functions/${name}/invocations`, '{}', 'application/json');

  it('answers 404 for a function that does not exist', async () => {
    const { status, error, body } = await invoke('doesnotexist');
    expect([status, error]).toEqual([404, 'ResourceNotFoundException']);
    expect(JSON.parse(body)).toEqual({
      Type: 'User',
      Message: 'Function not found: arn:aws:lambda:us-east-1:000000000000:function:doesnotexist:$LATEST',
    });
    const client = new LambdaClient(clientFor(aws));
    await expect(client.send(new InvokeCommand({ FunctionName: 'doesnotexist' }))).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
    client.destroy();
  });

  it('answers 429 with its reason when the concurrency of a function is used up', async () => {
    const { status, error, body } = await invoke('busy');
    expect([status, error]).toEqual([429, 'TooManyRequestsException']);
    expect(JSON.parse(body)).toEqual({
      Type: 'User',
      message: 'Rate Exceeded.',
      Reason: 'ReservedFunctionConcurrentInvocationLimitExceeded',
    });
  });
});

describe('SQS', () => {
  it('names a queue that does not exist, and gives attributes on demand alone', async () => {
    const sqs = new SQSClient({ ...clientFor(aws), useQueueUrlAsEndpoint: false });
    await expect(
      sqs.send(new ReceiveMessageCommand({ QueueUrl: `${QueueUrl}-absent` })),
    ).rejects.toMatchObject({
      message: 'The specified queue does not exist.',
      name: 'QueueDoesNotExist',
    });
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'x' }));
    const bare = await sqs.send(new ReceiveMessageCommand({ QueueUrl, VisibilityTimeout: 0 }));
    expect(bare.Messages?.[0]?.Attributes).toBeUndefined();
    const full = new ReceiveMessageCommand({ QueueUrl, MessageSystemAttributeNames: ['All'] });
    const [message] = (await sqs.send(full)).Messages ?? [];
    expect(message?.Attributes).toMatchObject({ ApproximateReceiveCount: '2' });
    for (const ReceiptHandle of [
      bare.Messages?.[0]?.ReceiptHandle,
      message?.ReceiptHandle,
      message?.ReceiptHandle,
    ]) {
      await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
    }
    await expect(sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: 'x' }))).rejects.toMatchObject({
      name: 'ReceiptHandleIsInvalid',
    });
    sqs.destroy();
  });
});

describe('Secrets Manager', () => {
  it('describes a secret without value and rotation by leaving both out, and tells a wrong label apart', async () => {
    const client = new SecretsManagerClient(clientFor(aws));
    const described = await client.send(new DescribeSecretCommand({ SecretId }));
    expect([described.RotationEnabled, described.VersionIdsToStages]).toEqual([undefined, undefined]);
    await expect(client.send(new RotateSecretCommand({ SecretId }))).rejects.toMatchObject({
      name: 'InvalidRequestException',
      message: 'No Lambda rotation function ARN is associated with this secret.',
    });
    const put = await client.send(new PutSecretValueCommand({ SecretId, SecretString: 'one' }));
    const wrong = { SecretId, VersionId: put.VersionId, VersionStage: 'AWSPREVIOUS' };
    await expect(client.send(new GetSecretValueCommand(wrong))).rejects.toMatchObject({
      name: 'InvalidRequestException',
    });
    client.destroy();
  });
});
