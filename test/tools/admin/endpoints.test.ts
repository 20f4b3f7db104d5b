import { startAws } from '../../support/aws.ts';
import { admin } from '../../support/run-admin.ts';

const aws = await startAws();

const { endpoint = '', ...awsConfig } = aws.deployment.awsConfig;

test.for([
  ['of a stack at AWS_ENDPOINT_URL', { ...aws.deployment, awsConfig }, endpoint],
  ['of a local run at its endpoint', aws.deployment, 'http://127.0.0.1:1'],
] as const)('the queue and the function are called %s', async ([, deployment, variable]) => {
  vi.stubEnv('AWS_ENDPOINT_URL', variable);
  aws.functions.set('record-upload', () => null);
  await aws.sendLetter('{"a":1}');
  const replayed = await admin(deployment, ['--stack', 'prod', 'upload', 'replay', '--json']);
  expect(replayed.json()).toEqual({ replayed: 1, failed: 0 });
});
