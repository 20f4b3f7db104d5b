import { prepareRuns } from '../support/aws-services.ts';
import { clients } from '../support/clients.ts';

test('a created secret survives a restart, and its name stays taken', async () => {
  const { start } = await prepareRuns([]);
  const secret = { Name: 'file-sync/client', SecretString: 'x' };
  const first = await start();
  const { ARN } = await clients(first).secrets.createSecret(secret);
  expect(ARN).toMatch(/:secret:file-sync\/client-\w{6}$/);
  await first.close();
  const { secrets } = clients(await start());
  expect(await secrets.getSecretValue({ SecretId: secret.Name })).toMatchObject(secret);
  await expect(secrets.createSecret(secret)).rejects.toMatchObject({ name: 'ResourceExistsException' });
});
