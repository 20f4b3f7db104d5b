import { setFaults } from 'cloud-assembly-emulator/faults';
import { cloudWatchLogsClient } from '../../../../tools/operator/deployment/aws-clients.ts';
import { createApiUser } from '../../../support/api-user.ts';
import { adminOf, failure } from '../../../support/run-admin.ts';
import { useRunningStack } from '../../../support/use-running-stack.ts';

/** Tests the timeline of a request, from the log lines of API Gateway and the functions. */

const stack = await useRunningStack();
const user = await createApiUser(stack);

const requestIdOf = (response: Response) => response.headers.get('apigw-requestid') ?? '';
const run = adminOf(stack.deployment);
const timelineOf = async (id: string) => (await run(`request show ${id} --json`)).json();

const otherSecret = async () => (await createApiUser(stack)).client.client_secret;
const whileDynamoDBFails = async (ask: () => Promise<Response>) => {
  setFaults(stack.stateDirectory, { dynamodb: 'failing' });
  const response = await ask();
  setFaults(stack.stateDirectory, {});
  return response;
};

interface Told {
  readonly what: string;
  readonly ask: () => Promise<Response>;
  /** Some members of the `--json` output. */
  readonly json: object;
  /** Pattern of the printed events and the next step. */
  readonly says: RegExp;
}

describe('the timeline of a request', () => {
  test.for<Told>([
    {
      what: 'that got a token',
      ask: () => user.requestToken(),
      json: { status: 200, outcome: 'succeeded', route: 'POST /oauth/token', organisation_id: 'acme' },
      says: /127\.0\.0\.1.*Secret ID +secret_.*The request succeeded\./s,
    },
    {
      what: 'for the head of a public document',
      ask: () => fetch(`${stack.baseUrl}/v0/openapi.json`, { method: 'HEAD' }),
      json: { status: 200, route: 'HEAD /v0/openapi.json' },
      says: /The request succeeded\./,
    },
    {
      what: 'with a wrong secret: 401',
      ask: async () => user.requestToken({ client_secret: await otherSecret() }),
      json: { status: 401, outcome: 'rejected', rejection: 'wrong_secret', ip: '127.0.0.1' },
      says: /The client secret is wrong\..*client rotate-secret client_/s,
    },
    {
      what: 'to a path that is no route: 404',
      ask: () => fetch(`${stack.baseUrl}/v1/files`, { method: 'POST' }),
      json: { status: 404 },
      says: /The API has no such method and path.*POST \/oauth\/token/s,
    },
    {
      what: 'during a failure of DynamoDB: 500',
      ask: () => whileDynamoDBFails(() => user.requestToken()),
      json: { status: 500, outcome: 'failed', aws_request_id: expect.any(String) },
      says: /The service failed: .*The client may retry\..*doctor/s,
    },
  ])('$what', async ({ ask, json, says }) => {
    const id = requestIdOf(await ask());
    expect(await timelineOf(id)).toMatchObject({ request_id: id, ...json });
    const { stdout, stderr } = await run(`request show ${id}`);
    expect(`${stdout}${stderr}`).toMatch(says);
  });

  test('is found by its id without the sign at the end', async () => {
    const id = requestIdOf(await user.sync('nowhere'));
    expect(await timelineOf(id.replace('=', ''))).toMatchObject({ request_id: id });
  });

  test('is found by a search for its id', async () => {
    const id = requestIdOf(await user.sync('nowhere'));
    expect((await run(`search --json ${id}`)).json().data).toEqual([{ kind: 'request', id }]);
  });

  test('that is too old is an error with the searched time', async () => {
    const told = await run('request show JKJaXmPLvHcESHA=');
    expect(told).toMatchObject({ code: 1, stdout: '' });
    expect(told.stderr).toMatch(
      /^error: No request with the id "JKJaXmPLvHcESHA=" was found\. The access log was read back to 2\S+Z\. A line appears some seconds after its request, and stays for the days .* of the request that got its URL\.\n {2}admin --local request show JKJaXmPLvHcESHA= --since 7d\n {2}admin --local upload list --request JKJaXmPLvHcESHA=\n$/,
    );
  });

  test('is searched for since --since', async () => {
    const told = await run('request show JKJaXmPLvHcESHA= --since 2026-01-31T00:00:00Z');
    expect(told.stderr).toContain('The access log was read back to 2026-01-31T00:00:00.000Z.');
  });

  test('is searched for by an id that begins like an option', async () => {
    const told = await run('request show -KJaXmPLvHcESHA=');
    expect(told.stderr).toContain('No request with the id "-KJaXmPLvHcESHA=" was found.');
  });
});

/**
 * Creates a deployment of an operator who may not read one log.
 *
 * @param logGroup part of the log group's name
 */
async function withoutLog(logGroup: string) {
  const deployment = { ...stack.deployment, awsConfig: { ...stack.deployment.awsConfig } };
  const denied = Object.assign(new Error('no'), { name: 'AccessDeniedException' });
  (await cloudWatchLogsClient(deployment)).middlewareStack.add(
    (next) => (sent) => (JSON.stringify(sent.input).includes(logGroup) ? Promise.reject(denied) : next(sent)),
    { step: 'initialize' },
  );
  return deployment;
}

describe('an operator who may not read', () => {
  test('the log of a function gets the rest of the timeline', async () => {
    const id = requestIdOf(await user.sync('nowhere'));
    const { stdout, stderr } = await adminOf(await withoutLog('SyncLogs'))(`request show ${id}`);
    expect(stdout).toContain('The function sync rejected the request. Its log contains the reason');
    expect(stderr).toContain(
      'The log of sync was not read, because your AWS credentials lack logs:FilterLogEvents on it.',
    );
  });

  test('the access log gets an error', async () => {
    const id = requestIdOf(await user.sync('nowhere'));
    const told = await adminOf(await withoutLog('ApiAccessLog'))(`request show ${id}`);
    expect(told).toMatchObject(failure('do not allow this'));
  });
});

test('the timeline of an upload has the size and sender of its content', async () => {
  const { requestId, put, uploadId } = await user.issue();
  await put('content');
  await stack.eventsSettled();
  const { timeline } = await timelineOf(requestId);
  expect(timeline).toMatchObject([
    { event: 'Asked for', detail: 'from 127.0.0.1' },
    { event: 'URL issued', detail: 'to 127.0.0.1' },
    { event: 'Bytes sent', detail: '7 bytes from 127.0.0.1, recorded and announced' },
    { event: 'Announced', detail: `${uploadId}.completed` },
  ]);
});
