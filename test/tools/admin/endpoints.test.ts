import { createServer } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Deployment } from '../../../tools/operator/deployment/deployment.ts';
import { startAws } from '../../support/aws.ts';
import { listen } from '../../support/listen.ts';
import { admin } from '../../support/run-admin.ts';

const aws = await startAws();

test('the queue and the function are called at AWS_ENDPOINT_URL, but for a local run at its endpoint', async () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  aws.functions.set('record-upload', () => null);
  const replayAt = async (deployment: Deployment, endpoint: string) => {
    vi.stubEnv('AWS_ENDPOINT_URL', endpoint);
    await aws.sendLetter('{"a":1}');
    return (await admin(deployment, ['--stack', 'prod', 'upload', 'replay', '--json'])).json();
  };
  const { endpoint = '', ...awsConfig } = aws.deployment.awsConfig;
  const ofStack = { ...aws.deployment, awsConfig };
  expect(await replayAt(ofStack, endpoint)).toEqual({ replayed: 1, failed: 0 });
  expect(await replayAt(aws.deployment, 'http://127.0.0.1:1')).toEqual({ replayed: 1, failed: 0 });
});

test('an answer that AWS never gives is no message of a parser', async () => {
  const server = createServer((_, response) => void response.end('<html>'));
  const endpoint = await listen(server);
  const wrong = { ...aws.deployment, awsConfig: { ...aws.deployment.awsConfig, endpoint } };
  const { stderr } = await admin(wrong, ['--local', 'file', 'show', 'orders']);
  expect(stderr).toContain('AWS sent an answer that cannot be read, so something else may have answered.');
  expect(stderr).not.toContain('Unexpected token');
});
