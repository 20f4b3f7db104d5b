import { demoClient, demoFile } from '../../../../tools/local/demo/provision.ts';
import { getClient, revokeClient } from '../../../../tools/operator/clients/client.ts';
import { setSyncEnabled } from '../../../../tools/operator/files/file.ts';
import { startAws } from '../../../support/aws.ts';

const aws = await startAws();

test('keeps one client with one secret, however often the run is started', async () => {
  const [first, second, third] = [
    await demoClient(aws.deployment),
    await demoClient(aws.deployment),
    await demoClient(aws.deployment),
  ];
  expect([second.client_id, third.client_id]).toEqual([first.client_id, first.client_id]);
  expect(third.client_secret).not.toBe(second.client_secret);
  const { secrets } = await getClient(aws.deployment, first.client_id);
  expect(secrets.map(({ secret_id }) => secret_id)).toEqual([third.secret_id]);
});

test('creates another client if the earlier one is revoked', async () => {
  const { client_id } = await demoClient(aws.deployment);
  await revokeClient(aws.deployment, client_id);
  expect(await demoClient(aws.deployment)).not.toMatchObject({ client_id });
});

test('keeps one file, however often the run is started', async () => {
  const first = await demoFile(aws.deployment);
  expect(await demoFile(aws.deployment)).toEqual(first);
});

test('creates another file if syncing is disabled for the earlier one', async () => {
  const { file_id } = await demoFile(aws.deployment);
  await setSyncEnabled(aws.deployment, file_id, false);
  expect(await demoFile(aws.deployment)).not.toMatchObject({ file_id });
});
