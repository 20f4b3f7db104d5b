import { awsClock } from '../../../tools/operator/deployment/aws-clock.ts';
import { startAws } from '../../support/aws.ts';
import { adminOf } from '../../support/run-admin.ts';

const aws = await startAws();
const hour = 3_600_000;

test('a command warns once of a wrong clock of its machine', async () => {
  const awsConfig = { ...aws.deployment.awsConfig };
  const deployment = { ...aws.deployment, awsConfig, now: awsClock({ awsConfig }).now };
  const tell = () =>
    awsClock({ awsConfig }).correctWith(async () => new Date(Date.now() - 2 * hour).toUTCString(), String);
  await tell();
  const { code, stdout, stderr } = await adminOf(deployment)('file list --json');
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { data: expect.any(Array) }]);
  expect(stderr).toMatch(
    /^The clock of this machine is \d h \d\d min ahead of AWS\. The time of AWS is used instead\.\n$/,
  );
});
