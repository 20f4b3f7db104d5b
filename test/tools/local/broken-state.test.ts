import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { temporaryFolder } from 'cloud-assembly-emulator/test/temporary-folder';
import { localDeployment } from '../../../tools/local/local-deployment.ts';
import { startHere } from './support/start-here.ts';

/** Tests broken state folders. Each test breaks a file in a copy of the state folder of a finished run. */

const folder = await temporaryFolder();
const whole = join(folder, 'whole');
expect(await start(whole)).toEqual({ code: 0, stderr: '' });
// Each start creates this folder again.
await rm(join(whole, 'cdk.out'), { recursive: true });
const [queue = ''] = await readdir(join(whole, 'aws/sqs'));

/** Breaks a file in a copy of the state folder. @returns state folder, and path of the file */
async function breakFile(file: string, content: string): Promise<{ state: string; path: string }> {
  const state = await mkdtemp(join(folder, 'broken-'));
  await cp(whole, state, { recursive: true });
  const path = join(state, file);
  await writeFile(path, content);
  return { state, path };
}

/** Starts a run, and stops it when it is ready. */
async function start(stateDirectory: string) {
  const { stop, stderr } = await startHere({ stateDirectory });
  return { code: await stop(), stderr: stderr() };
}

const elsewhere =
  'Restore it from a copy, or start with another state folder, which leaves this one unchanged.';

describe('a start names the broken file, its error and the next step', () => {
  test.for([
    [
      'a secret',
      'aws/secrets/file-sync-prod-SigningKeyPrivateKeys560D0A02.json',
      '{"arn":"arn:aws',
      elsewhere,
    ],
    ['the root secret', 'aws/root-secret', 'abc', 'Move it away: the next start creates a new one.'],
    ['the custom resources', 'custom-resources.json', '[1]', 'the next start creates the custom resources'],
    ['the alarms', 'aws/cloudwatch/alarms.json', '', 'Move it away: the alarms then start without data.'],
    [
      'the metrics',
      'aws/cloudwatch/metrics.jsonl',
      '{"namespace":1}\n',
      'Move it away: the metrics then start empty.',
    ],
    ['an event', 'aws/events/1.json', '{"event":{}}', 'Move this file away to skip the event.'],
    [
      'a message of a queue',
      `aws/sqs/${queue}/1.json`,
      '\0',
      'Move this file away to skip the message. Other messages stay in the queue.',
    ],
  ] as const)('%s', async ([, file, content, remedy]) => {
    const { state, path } = await breakFile(file, content);
    const { code, stderr } = await start(state);
    expect(code).toBe(1);
    expect(stderr).toContain(`error: The state file ${path} is broken: `);
    expect(stderr).toContain(remedy);
    expect(stderr).not.toContain('--fresh');
  });

  test('the tables', async () => {
    const { state, path } = await breakFile('aws/dynamodb/CURRENT', '');
    const { code, stderr } = await start(state);
    expect(code).toBe(1);
    expect(stderr).toContain(
      `error: The tables in ${dirname(path)} cannot be opened: Corruption: CURRENT file`,
    );
    expect(stderr).toContain(elsewhere);
  });
});

describe('a start continues without files that it can create again', () => {
  test.for([
    ['the root secret', 'aws/root-secret'],
    ['the custom resources', 'custom-resources.json'],
    ['the alarms', 'aws/cloudwatch/alarms.json'],
  ] as const)('%s, once it was moved away', async ([, file]) => {
    const { state, path } = await breakFile(file, '');
    await rm(path);
    const { code, stderr } = await start(state);
    expect(code).toBe(0);
    // The end of the run may interrupt a running function, which the run reports.
    expect(stderr).not.toMatch(/^error:/m);
  });
});

test.for([
  ['cut short', '{"pid":'],
  ['of another type', '{"pid":1}'],
] as const)('a command names run.json that is %s', async ([, content]) => {
  const path = join(folder, 'run.json');
  await writeFile(path, content);
  await expect(localDeployment(folder)).rejects.toThrow(
    `${path} is broken, or was written by another version`,
  );
});
