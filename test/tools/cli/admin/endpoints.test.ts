import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Deployment } from '../../../../tools/operator/deployment/deployment.ts';
import { checkApi } from '../../../../tools/operator/doctor/api.ts';
import { createFile } from '../../../../tools/operator/files.ts';
import { type FakeAws, startFakeAws } from '../../../support/fake-aws.ts';
import { admin } from '../../../support/run-admin.ts';

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

  test('of a local run keeps to its endpoint', async () => {
    vi.stubEnv('AWS_ENDPOINT_URL', 'http://127.0.0.1:1');
    expect((await replay(aws.deployment)).json()).toEqual({ replayed: 1, failed: 0 });
  });
});

test('an answer that AWS never gives is no message of a parser', async () => {
  const server = createServer((_, response) => void response.end('<html>'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const wrong: Deployment = {
    ...aws.deployment,
    outputs: { ...aws.deployment.outputs, BaseUrl: url },
    awsConfig: { ...aws.deployment.awsConfig, endpoint: url },
  };
  const { stderr } = await admin(wrong, ['--local', 'file', 'show', 'orders']);
  expect(stderr).toContain('AWS sent an answer that cannot be read, so something else may have answered.');
  expect(stderr).not.toContain('Unexpected token');
  expect(await checkApi({ BaseUrl: url }, Date.now)).toMatchObject({
    state: 'failed',
    message: expect.stringContaining('answered 200 and names no issuer'),
  });
  const token = await admin(
    { ...aws.deployment, outputs: wrong.outputs },
    ['--local', 'token', 'client_1'],
    {},
    { stdin: `fss_${'a'.repeat(49)}` },
  );
  expect(token).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The token endpoint answered 200 "no error code".'),
  });
  server.closeAllConnections();
  server.close();
});
