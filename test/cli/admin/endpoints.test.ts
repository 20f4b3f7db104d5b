import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { sqsClient } from '../../../cli/deployment/aws-clients.ts';
import type { Deployment } from '../../../cli/deployment/deployment.ts';
import { stackDeployment } from '../../../cli/deployment/stack-deployment.ts';
import { checkApi } from '../../../cli/operations/doctor/api.ts';
import { createFile } from '../../../cli/operations/files.ts';
import { type FakeAws, startFakeAws } from '../../support/fake-aws.ts';
import { admin } from '../../support/run-admin.ts';

let aws: FakeAws;

beforeAll(async () => {
  aws = await startFakeAws();
  await createFile(aws.deployment, {
    organisationId: 'acme',
    name: 'n',
    syncEnabled: true,
    fileId: 'orders',
  });
});
afterAll(() => aws.stop());
afterEach(() => vi.unstubAllEnvs());

/** The deployment without an endpoint of its own, as that of a stack is. */
function stackOf({ deployment }: FakeAws): Deployment {
  const { endpoint: _, ...awsConfig } = deployment.awsConfig;
  return { ...deployment, awsConfig };
}

const endpointOf = ({ deployment }: FakeAws) => deployment.awsConfig.endpoint ?? '';

describe('upload replay', () => {
  beforeEach(() => {
    aws.queue.set('m1', '{"a":1}');
    aws.functions.set('record-upload', () => ({ payload: null }));
    return () => aws.queue.clear();
  });

  const replay = (deployment: Deployment) =>
    admin(deployment, ['--stack', 'prod', 'upload', 'replay', '--json']);

  test('calls the queue and the function at AWS_ENDPOINT_URL', async () => {
    vi.stubEnv('AWS_ENDPOINT_URL', endpointOf(aws));
    expect((await replay(stackOf(aws))).json()).toEqual({ replayed: 1, failed: 0 });
    expect(aws.queue.size).toBe(0);
  });

  test('prefers AWS_ENDPOINT_URL_SQS and AWS_ENDPOINT_URL_LAMBDA', async () => {
    const lambda = await startFakeAws();
    const events: unknown[] = [];
    lambda.functions.set('record-upload', (event) => {
      events.push(event);
      return { payload: null };
    });
    vi.stubEnv('AWS_ENDPOINT_URL', 'http://127.0.0.1:1');
    vi.stubEnv('AWS_ENDPOINT_URL_SQS', endpointOf(aws));
    vi.stubEnv('AWS_ENDPOINT_URL_LAMBDA', endpointOf(lambda));
    expect((await replay(stackOf(aws))).json()).toEqual({ replayed: 1, failed: 0 });
    expect(events).toEqual([{ a: 1 }]);
    await lambda.stop();
  });

  test('of a local run keeps to its endpoint', async () => {
    vi.stubEnv('AWS_ENDPOINT_URL', 'http://127.0.0.1:1');
    expect((await replay(aws.deployment)).json()).toEqual({ replayed: 1, failed: 0 });
  });

  test('calls the queue of the region where nothing is set', async () => {
    const hosts: string[] = [];
    const requestHandler = {
      handle: async ({ hostname }: { readonly hostname: string }) => {
        hosts.push(hostname);
        throw new Error('no network');
      },
    };
    const awsConfig = { ...stackOf(aws).awsConfig, region: 'eu-west-1', requestHandler };
    const { ListQueuesCommand } = await import('@aws-sdk/client-sqs');
    const queues = await sqsClient({ ...aws.deployment, awsConfig });
    await expect(queues.send(new ListQueuesCommand())).rejects.toThrow('no network');
    expect(hosts).toEqual(['sqs.eu-west-1.amazonaws.com']);
  });
});

describe('a web page in place of an answer', () => {
  let server: Server;
  let host: string;
  let answer: { readonly status: number; readonly headers: Record<string, string>; readonly body: string };
  let requests: number;

  beforeEach(async () => {
    requests = 0;
    answer = {
      status: 200,
      headers: { 'content-type': 'text/html' },
      body: '<html><head><title>Sign in</title></head></html>',
    };
    server = createServer((_, response) => {
      requests += 1;
      response.writeHead(answer.status, answer.headers).end(answer.body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    return () => {
      server.closeAllConnections();
      server.close();
    };
  });

  const wrong = (): Deployment => ({
    ...aws.deployment,
    outputs: { ...aws.deployment.outputs, BaseUrl: `http://${host}` },
    awsConfig: { ...aws.deployment.awsConfig, endpoint: `http://${host}` },
  });
  const run = (...parameters: readonly string[]) => admin(wrong(), ['--local', ...parameters]);

  const sentence = () =>
    `error: ${host} answered 200 with a web page titled "Sign in", as AWS never does. Check AWS_ENDPOINT_URL and endpoint_url ` +
    'if they are set, and that no proxy and no sign-in page of the network is in between.\n';

  test.each([
    ['DynamoDB', ['file', 'show', 'orders']],
    ['Secrets Manager', ['signing-key', 'list']],
    ['SQS', ['upload', 'replay']],
  ])('of %s is told as what it is', async (_, parameters) => {
    expect(await run(...parameters)).toMatchObject({ code: 1, stdout: '', stderr: sentence() });
    expect(requests).toBe(1);
  });

  test('of CloudFormation is not taken for an account without the stack', async () => {
    await expect(stackDeployment('prod', wrong().awsConfig)).rejects.toThrow(
      `${host} answered 200 with a web page titled "Sign in"`,
    );
  });

  test('of S3 is not taken for a tombstone that was written', async () => {
    const issued = Date.now();
    await aws.putItem('uploads', {
      upload_id: { S: 'u1' },
      file_id: { S: 'orders' },
      organisation_id: { S: 'acme' },
      client_id: { S: 'client_1' },
      key: { S: 'uploads/u1' },
      issued_at: { S: new Date(issued).toISOString() },
      expires_at: { S: new Date(issued + 3_600_000).toISOString() },
      state: { S: 'issued' },
    });
    vi.stubEnv('AWS_ENDPOINT_URL', endpointOf(aws));
    vi.stubEnv('AWS_ENDPOINT_URL_S3', `http://${host}`);
    const cancelled = await admin(stackOf(aws), ['--stack', 'prod', 'upload', 'cancel', 'u1']);
    expect(cancelled).toMatchObject({ code: 1, stdout: '' });
    expect(cancelled.stderr).toContain('answered 200 with a web page titled "Sign in", as AWS never does.');
    expect((await admin(aws.deployment, ['--local', 'upload', 'show', 'u1', '--json'])).json()).toMatchObject(
      {
        state: 'issued',
      },
    );
  });

  test('of Lambda is not taken for an event that was recorded', async () => {
    aws.queue.set('m1', '{"a":1}');
    vi.stubEnv('AWS_ENDPOINT_URL', endpointOf(aws));
    vi.stubEnv('AWS_ENDPOINT_URL_LAMBDA', `http://${host}`);
    const replayed = await admin(stackOf(aws), ['--stack', 'prod', 'upload', 'replay']);
    expect(replayed).toMatchObject({ code: 1, stderr: sentence() });
    expect([...aws.queue.keys()]).toEqual(['m1']);
    aws.queue.clear();
  });

  test('that is a redirect names where it leads', async () => {
    answer = { status: 302, headers: { location: 'http://portal.example/?x=1' }, body: '' };
    expect((await run('file', 'show', 'orders')).stderr).toContain(
      `${host} answered 302 with a redirect to "http://portal.example/", as AWS never does.`,
    );
  });

  test('without a content type is no message of a parser', async () => {
    answer = { status: 200, headers: {}, body: '<html>' };
    const { stderr } = await run('file', 'show', 'orders');
    expect(stderr).toContain('AWS sent an answer that cannot be read, so something else may have answered.');
    expect(stderr).not.toContain('Unexpected token');
  });

  test('with a request id is an answer of AWS: an object may be a page', async () => {
    answer = { ...answer, headers: { ...answer.headers, 'x-amzn-requestid': '1' }, body: '{}' };
    expect((await run('file', 'show', 'orders')).stderr).toBe('error: There is no file "orders".\n');
  });

  test('of the API is told by doctor and token', async () => {
    expect(await checkApi({ BaseUrl: `http://${host}` }, Date.now)).toMatchObject({
      state: 'failed',
      message: expect.stringContaining('it answered 200 with a web page titled "Sign in".'),
      advice: expect.stringContaining('no sign-in page of the network is in between'),
    });
    const deployment = { ...aws.deployment, outputs: wrong().outputs };
    const asked = () =>
      admin(deployment, ['--local', 'token', 'client_1'], {}, { stdin: `fss_${'a'.repeat(49)}` });
    for (const status of [200, 403]) {
      answer = { ...answer, status };
      const { code, stderr } = await asked();
      expect(code).toBe(1);
      expect(stderr).toContain(`/oauth/token answered ${status} with a web page titled "Sign in"`);
    }
    answer = { status: 200, headers: { 'content-type': 'text/plain' }, body: 'hello' };
    expect((await asked()).stderr).toContain('answered 200 without a token response');
  });
});
