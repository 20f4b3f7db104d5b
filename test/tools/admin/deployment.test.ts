import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { temporaryFolder } from 'cloud-assembly-emulator/test/temporary-folder';
import { outputNames } from '../../../contract/internal/stack-outputs.ts';
import { localDeployment } from '../../../tools/local/local-deployment.ts';
import { dynamoDBClient, s3Client } from '../../../tools/operator/deployment/aws-clients.ts';
import { explainAwsError, unreadableResponse } from '../../../tools/operator/deployment/aws-errors.ts';
import { stackDeployment } from '../../../tools/operator/deployment/stack-deployment.ts';
import { OperationError } from '../../../tools/operator/errors.ts';
import { listen } from '../../support/listen.ts';
import { member, missingStack, stackReply } from './support/fake-account.ts';

let reply: { status: number; body: string; headers?: Record<string, string> };

/** Number of requests so far. */
let asked = 0;

const server = createServer((_, response) => {
  asked += 1;
  response.writeHead(reply.status, reply.headers).end(reply.body);
});
const endpoint = await listen(server);

/** Returns the date of a server whose clock is one day ahead of this machine. */
const dayAhead = () => new Date(Date.now() + 86_400_000).toUTCString();
const hoursAhead = (time: number) => Math.round((time - Date.now()) / 3_600_000);

const credentials = { accessKeyId: 'a', secretAccessKey: 'b' };
const open = () => stackDeployment('prod', { region: 'us-east-1', endpoint, credentials });

describe('a deployed stack', () => {
  function stack(outputs: readonly string[]) {
    const members = outputs.map((name) =>
      member(`<OutputKey>${name}</OutputKey><OutputValue>value of ${name}</OutputValue>`),
    );
    return { status: 200, ...stackReply('CREATE_COMPLETE', `<Outputs>${members.join('')}</Outputs>`) };
  }

  test('is known by its outputs, and opened with the time of AWS, in one request', async () => {
    reply = { ...stack(outputNames), headers: { date: dayAhead() } };
    asked = 0;
    const { now, outputs } = await open();
    expect([hoursAhead(now()), asked]).toEqual([24, 1]);
    expect(outputs).toMatchObject({ BucketName: 'value of BucketName' });
  });

  test('of another service is rejected with the outputs that it lacks', async () => {
    reply = stack(outputNames.filter((name) => name !== 'BucketName'));
    await expect(open()).rejects.toThrow(
      'The stack "prod" (CREATE_COMPLETE) does not have the outputs BucketName. Deploy this version of the service first, or name another stack.',
    );
  });

  test('that does not exist is an error with the region', async () => {
    reply = missingStack;
    await expect(open()).rejects.toThrow(
      'There is no stack "prod" in region us-east-1 of this AWS account. Check the name, and AWS_REGION and AWS_PROFILE, which choose the region and the account.',
    );
  });
});

describe('a response that is not of AWS', () => {
  test.for([
    ['a page that says 200', 200, '<html><body>This page does not exist</body></html>'],
    ['a page that says 404', 404, '<html><body>This page does not exist</body></html>'],
    ['nothing', 200, ''],
  ] as const)('%s is named as one', async ([, status, body]) => {
    reply = { status, body };
    const error = explainAwsError(await open().catch((thrown: unknown) => thrown));
    expect(error).toHaveProperty('message', unreadableResponse);
  });
});

test('HTML in place of JSON is named as no response of AWS', async () => {
  reply = { status: 200, body: '<html>' };
  const database = await dynamoDBClient({ awsConfig: { region: 'us-east-1', endpoint, credentials } });
  const error = explainAwsError(await database.listTables().catch((thrown: unknown) => thrown));
  expect(error).toHaveProperty('message', unreadableResponse);
});

test('a long message of AWS is cut', () => {
  const error = Object.assign(new Error('x'.repeat(10_000_000)), { name: 'Throttling', $metadata: {} });
  expect(explainAwsError(error)).toHaveProperty(
    'message',
    `AWS responded with an error (Throttling): ${'x'.repeat(400)}…`,
  );
});

test('a broken connection is an error with its code', () => {
  const cause = Object.assign(new Error(), { code: 'ECONNREFUSED' });
  expect(explainAwsError(new Error('no response', { cause }))).toHaveProperty(
    'message',
    'AWS cannot be reached (ECONNREFUSED): no response',
  );
});

test.for([new Error('a defect'), new OperationError('Region is missing')])(
  'an error that is none of AWS is as it was: %s',
  (error) => expect(explainAwsError(error)).toBe(error),
);

test.for([
  [
    'CredentialsProviderError',
    'Could not load credentials',
    /aws sso login.* check that this profile exists/,
  ],
  ['Error', 'Region is missing', /Set AWS_REGION.* check that this profile exists/],
  ['ExpiredTokenException', 'expired', /Sign in again/],
  ['AccessDenied', 'User is not authorized', /credentials do not allow this: User is not/],
] as const)('a call that failed with %s names the next step', ([name, message, advice]) => {
  const error = Object.assign(new Error(message), { name });
  expect(explainAwsError(error)).toMatchObject({ kind: 'failed', message: expect.stringMatching(advice) });
});

describe('the local run', () => {
  let state: string;

  beforeEach(async () => {
    state = await temporaryFolder();
  });

  const run = (changes: object) =>
    writeFile(
      join(state, 'run.json'),
      JSON.stringify({
        awsEndpoint: endpoint,
        stackName: 'file-sync-dev',
        region: 'us-east-1',
        credentials,
        outputs: Object.fromEntries(outputNames.map((name) => [name, name])),
        ...changes,
      }),
    );

  test('is found through its state folder', async () => {
    await run({});
    expect(await localDeployment(state)).toMatchObject({
      stackName: 'file-sync-dev',
      outputs: { FilesTableName: 'FilesTableName' },
      awsConfig: { endpoint, region: 'us-east-1' },
    });
  });

  test('is opened with the time of the local run', async () => {
    await run({});
    reply = { status: 403, body: '', headers: { date: dayAhead() } };
    const { now } = await localDeployment(state);
    expect(hoursAhead(now())).toBe(24);
  });

  test.for(['AWS_USE_FIPS_ENDPOINT', 'AWS_USE_DUALSTACK_ENDPOINT'])(
    'is reached by whoever has set %s',
    async (variable) => {
      await run({});
      reply = { status: 200, body: '{}' };
      vi.stubEnv(variable, 'true');
      const deployment = await localDeployment(state);
      asked = 0;
      await (await dynamoDBClient(deployment)).listTables();
      await (await s3Client(deployment)).headBucket({ Bucket: 'bucket' });
      expect(asked).toBe(2);
    },
  );

  test.for<readonly [string, () => Promise<void>]>([
    ['has never run', async () => undefined],
    ['was killed', () => run({ awsEndpoint: 'http://127.0.0.1:1' })],
  ])('that %s is not running', async ([, prepare]) => {
    await prepare();
    await expect(localDeployment(state)).rejects.toMatchObject({
      message: `No local run uses the state folder "${state}". Start one in the repository, or choose the state folder of a running local run.`,
      next: [{ do: 'start local run', stateDirectory: state }],
    });
  });
});
