import { expect, test } from 'vitest';
import { startFakeAws } from '../../support/fake-aws.ts';
import { admin } from '../../support/run-admin.ts';
import { putIssued } from './items.ts';

const aws = await startFakeAws();

/** Runs the admin command as somebody. Each run opens the deployment anew. */
async function run(who: string, line: string) {
  aws.caller = who;
  const deployment = { ...aws.deployment, awsConfig: { ...aws.deployment.awsConfig } };
  return (await admin(deployment, ['--local', ...line.split(' '), '--json'])).json();
}

test('a file says who created it and who deleted it; each command that changes it asks STS once', async () => {
  await run('ada', 'file create --organisation acme --name a --id one');
  await run('grace', 'file delete one --yes');
  const shown = await run('joan', 'file show one');
  expect(shown).toMatchObject({ created_by: 'ada', updated_by: 'grace' });
  expect(aws.calls.get('GetCallerIdentity')).toBe(2);
});

test('credentials that STS does not know change no item and no object', async () => {
  const id = await putIssued(aws, 1);
  await expect(run('', `upload cancel ${id}`)).rejects.toThrow();
  expect((await run('ada', `upload show ${id}`)).state).toBe('issued');
  expect(aws.objects.size).toBe(0);
});
