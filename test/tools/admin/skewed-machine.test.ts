import { startAws } from '../../support/aws.ts';
import { adminOf } from '../../support/run-admin.ts';

const aws = await startAws();

test('a command warns once of a wrong clock of its machine', async () => {
  const deployment = { ...aws.deployment, skew: () => -7_200_000 };
  const { code, stdout, stderr } = await adminOf(deployment)('file list --json');
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { data: expect.any(Array) }]);
  expect(stderr).toBe(
    'The clock of this machine is 2 h 00 min ahead of AWS. The time of AWS is used instead.\n',
  );
});
