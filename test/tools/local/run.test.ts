import { execFile } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DescribeSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { temporaryFolder } from 'cloud-assembly-emulator/test/temporary-folder';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { describeAlarm } from '../../../tools/local/run.ts';
import { appVariable } from '../../../tools/local/start/synthesize.ts';
import { localDeployment } from '../../../tools/operator/deployment/local-deployment.ts';
import { startConsumer } from './events/consumer.ts';
import { startHere } from './support/start-here.ts';

/** A run with all that it offers, from its start to its end. */

const { received, url } = await startConsumer(() => 204);
const stateDirectory = await temporaryFolder();
const run = await startHere({ stateDirectory, flags: `--console-port 0 --events-to ${url}` });
const { outputs, awsConfig } = await localDeployment(stateDirectory);
const kept = (name: string) => join(stateDirectory, name);

/** What the demonstration says of a thing. */
const told = (name: string) =>
  [...run.stdout().matchAll(new RegExp(`^ {3}${name} +(.*)$`, 'gm'))].map(([, text]) => text);

test('says where it serves, and only then that it is ready', () => {
  expect(run.stdout()).toMatch(
    new RegExp(`\nready ${outputs.BaseUrl}\nPress Ctrl-C to stop\\. The logs are in ${kept('logs')}\n$`),
  );
  expect(run.stderr()).toBe('');
});

test('keeps what leads to it for its owner alone', async () => {
  expect((await stat(kept('run.json'))).mode & 0o777).toBe(0o600);
  expect(JSON.parse(await readFile(kept('run.json'), 'utf8'))).toMatchObject({
    pid: process.pid,
    baseUrl: outputs.BaseUrl,
  });
});

test('sets the schedule by which its keys rotate', async () => {
  const secret = await new SecretsManagerClient(awsConfig).send(
    new DescribeSecretCommand({ SecretId: outputs.SigningKeySecretArn }),
  );
  expect(secret).toMatchObject({ RotationEnabled: true, RotationRules: { AutomaticallyAfterDays: 90 } });
  expect(Object.values(secret.VersionIdsToStages ?? {}).flat()).not.toContain('AWSPENDING');
});

test('sends each event that its file has', async () => {
  await expect.poll(() => received.length).toBe(1);
  const event: unknown = JSON.parse(await readFile(kept('events.jsonl'), 'utf8'));
  expect(event).toMatchObject({ source: 'file-sync-api', 'detail-type': 'Upload Completed' });
  expect(received).toMatchObject([{ body: event }]);
  expect((await stat(kept('events.jsonl'))).mode & 0o777).toBe(0o600);
  // The query may hold a key, so no line shows it.
  const shown = url.replace('?of=uploads', '?...');
  expect(run.stdout()).toContain(
    `\nEvents of uploads are appended to ${kept('events.jsonl')}, and sent to ${shown}\n`,
  );
});

test('has a console, which says how to get another link', async () => {
  const link = /^console (\S+)$/m.exec(run.stdout())?.[1] ?? '';
  const entered = await fetch(link, { redirect: 'manual' });
  const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? '';
  const page = await (await fetch(new URL('/', link), { headers: { cookie } })).text();
  expect(page).toContain('local run');
  expect(page).not.toContain('read-only');
  expect(await (await fetch(link)).text()).toContain(
    `Run npm run -s admin -- --local --state ${stateDirectory} console to get a new one.`,
  );
});

describe('the demonstration', () => {
  test('tells the steps of an upload', () => {
    const [fileId] = told('file id');
    expect(run.stdout().match(/^(Demonstration|The same|What|\d\.) .*$/gm)).toEqual([
      `Demonstration of an upload to ${outputs.BaseUrl}`,
      '1. The operator makes a client and a file',
      '2. The client gets a token: POST /oauth/token, with HTTP Basic',
      '3. It lists volumes: GET /v0/volumes',
      `4. It asks for an upload URL: POST /v0/files/${fileId}/sync`,
      '5. It PUTs 8.0 MiB to that URL',
      '6. S3 has the bytes',
      'The same by hand: copy these lines into a shell',
      'What the operator sees of the upload: copy these lines as well',
    ]);
  });

  test('shows that what was sent is what S3 has', () => {
    const [sent] = told('sent');
    expect(sent).toMatch(/^sha256 [0-9a-f]{64}$/);
    expect(told('stored')).toEqual([sent]);
    expect(told('object')).toEqual([
      expect.stringMatching(new RegExp(`^s3://${outputs.BucketName}/uploads/[\\w-]+, 8388608 bytes$`)),
    ]);
  });

  test('shows what the API answers', () => {
    expect(told('answer')).toEqual([
      expect.stringMatching(/^Bearer token for \d+ s, scope "volume:read sync:create"$/),
      '{"data":[]}',
      expect.stringMatching(/^a URL at http:\/\/127\.0\.0\.1:\d+, good for one PUT within \d+ s$/),
      '200',
    ]);
  });

  test('prints curl lines that work when copied into a shell', async () => {
    const lines = /^export FILE_SYNC_BASE_URL=[\s\S]*$/m.exec(run.stdout())?.[0].split('\n\n')[0] ?? '';
    expect(lines).toContain(`SECRET=${told('client secret')}\n`);
    const { stdout } = await promisify(execFile)('sh', ['-eu', '-c', lines], { cwd: tmpdir() });
    expect(stdout).toMatch(/^\{"data":\[\]\} request id \S+, curl 0, status 200\nuploaded\n$/);
  });
});

test('is found as it was synthesized by the next start', async () => {
  expect(await run.stop()).toBe(0);
  const left = await readdir(stateDirectory);
  expect(left.filter((name) => /^(run|lock)\.json$/.test(name))).toEqual([]);
  vi.stubEnv(appVariable, '');
  onTestFinished(() => void vi.unstubAllEnvs());
  const { port } = new URL(outputs.BaseUrl);
  const again = await startHere({ stateDirectory, flags: `--no-demo --no-console --port ${port}` });
  expect(again.stdout()).toContain('The stack is as it was synthesized last.\n');
});

test.for([
  ['OK', 'ALARM', 'alarm errors is raised: 3 of 5'],
  ['ALARM', 'OK', 'alarm errors is over: 3 of 5'],
  // Most new alarms get their first data so.
  ['INSUFFICIENT_DATA', 'OK', undefined],
] as const)('of an alarm from %s to %s says: %s', ([from, to, line]) => {
  expect(describeAlarm({ alarm: 'errors', from, to, reason: '3 of 5', at: 0 })).toBe(line);
});
