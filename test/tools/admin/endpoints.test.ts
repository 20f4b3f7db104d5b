import { createServer } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startAws } from '../../support/aws.ts';
import { listen } from '../../support/listen.ts';
import { admin } from '../../support/run-admin.ts';

const aws = await startAws();

const { endpoint = '', ...awsConfig } = aws.deployment.awsConfig;

test.for([
  ['of a stack at AWS_ENDPOINT_URL', { ...aws.deployment, awsConfig }, endpoint],
  ['of a local run at its endpoint', aws.deployment, 'http://127.0.0.1:1'],
] as const)('the queue and the function are called %s', async ([, deployment, variable]) => {
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv('AWS_ENDPOINT_URL', variable);
  aws.functions.set('record-upload', () => null);
  await aws.sendLetter('{"a":1}');
  const replayed = await admin(deployment, ['--stack', 'prod', 'upload', 'replay', '--json']);
  expect(replayed.json()).toEqual({ replayed: 1, failed: 0 });
});

test('an answer that AWS never gives is no message of a parser', async () => {
  const server = createServer((_, response) => void response.end('<html>'));
  const endpoint = await listen(server);
  const wrong = { ...aws.deployment, awsConfig: { ...aws.deployment.awsConfig, endpoint } };
  const { stderr } = await admin(wrong, ['--local', 'file', 'show', 'orders']);
  expect(stderr).toContain('AWS sent an answer that cannot be read, so something else may have answered.');
  expect(stderr).not.toContain('Unexpected token');
});
