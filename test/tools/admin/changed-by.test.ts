import { setFaults } from 'cloud-assembly-emulator/faults';
import { startAws } from '../../support/aws.ts';
import { adminOf } from '../../support/run-admin.ts';
import { putIssued } from './items.ts';

const aws = await startAws();

/** Runs the admin command as the given person. Each run opens the deployment again. */
const run = (who: string, line: string) => adminOf(aws.as(who))(`${line} --json`);

const arnOf = (who: string) => `arn:aws:sts::000000000000:assumed-role/operator/${who}`;

test('a file names its creator and deleter, for one call of STS each', async () => {
  await run('ada', 'file create --organisation acme --name a --id one');
  await run('grace', 'file delete one --yes');
  const shown = await run('joan', 'file show one');
  expect(shown.json()).toMatchObject({ created_by: arnOf('ada'), updated_by: arnOf('grace') });
  expect(aws.calls.get('GetCallerIdentity')).toBe(2);
});

test('a caller whom STS does not name changes nothing until STS responds again', async () => {
  const [id, ada] = [await putIssued(aws, 1), adminOf(aws.as('ada'))];
  setFaults(aws.stateDirectory, { sts: 'failing' });
  expect((await ada(`upload cancel ${id}`)).code).toBe(1);
  expect((await ada(`upload show ${id} --json`)).json().state).toBe('issued');
  expect(await aws.contentOf(id)).toBeUndefined();
  setFaults(aws.stateDirectory, {});
  expect((await ada(`upload cancel ${id}`)).code).toBe(0);
});
