import { writeFileSync } from 'node:fs';
import { type Faults, type FaultyCalls, faultsFile, setFaults } from '../../endpoint/faults.ts';
import type { LogLine } from '../../shared/log.ts';
import { sendPresigned } from '../recordings/send.ts';
import { allow, bucketWith, functionRole, prepareRuns, resource } from '../support/aws-services.ts';
import { clients } from '../support/clients.ts';

const secret = resource('Secret', 'AWS::SecretsManager::Secret', { SecretString: 'value' });
const actions = ['secretsmanager:GetSecretValue', 'secretsmanager:PutSecretValue'];
const resources = [bucketWith(), secret, ...functionRole('Reader', allow(actions, secret.ref))];

const runs = await prepareRuns(resources);
const logged: LogLine[] = [];
const aws = await runs.start({
  faultsFile: faultsFile(runs.stateDirectory),
  log: (line) => logged.push(line),
});
afterEach(() => setFaults(runs.stateDirectory, {}));

const asFunction = () => clients(aws, 'Reader');

/** One call of a service, as a function sends it. */
const calls = {
  dynamodb: () => asFunction().dynamodb.getItem({ TableName: 't', Key: { k: { S: 'v' } } }),
  secretsmanager: () => asFunction().secrets.getSecretValue({ SecretId: secret.ref }),
  sts: () => asFunction().sts.getCallerIdentity(),
  s3: () => asFunction().s3.putObject({ Bucket: 'b', Key: 'k', Body: 'body' }),
  events: () => asFunction().eventbridge.putEvents({ Entries: [entry, entry] }),
};

const entry = { Source: 'test', DetailType: 'Test', Detail: '{}' };

const readAsOperator = () => clients(aws).secrets.getSecretValue({ SecretId: secret.ref });

/** A PUT to a presigned URL. @param query signed parameters of the URL */
const put = (key: string, query = {}) => sendPresigned(aws, { key, body: 'body', query });

/** Returns the name and the status of a failed call's error, or `done`. */
const outcomeOf = (call: () => Promise<unknown>): Promise<string> =>
  call().then(
    () => 'done',
    ({ name, $metadata }) => `${name} ${$metadata?.httpStatusCode}`,
  );

describe('a service with a fault', () => {
  test.each([
    ['dynamodb', 'ProvisionedThroughputExceededException 400', 'InternalServerError 500'],
    ['sts', 'Throttling 400', 'InternalFailure 500'],
    ['s3', 'SlowDown 503', 'InternalError 500'],
  ] as const)('%s is throttled, fails, or returns garbage', async (service, throttled, failed) => {
    const outcome = () => outcomeOf(calls[service]);
    setFaults(runs.stateDirectory, { [service]: 'throttling' });
    expect(await outcome()).toBe(throttled);
    setFaults(runs.stateDirectory, { [service]: 'failing' });
    expect(await outcome()).toBe(failed);
    setFaults(runs.stateDirectory, { [service]: 'garbage' });
    // An error, but none of the service's own errors.
    expect(await outcome()).toEqual(expect.not.stringMatching(/AccessDenied|NotFound|NoSuch/));
  });

  test('slow runs the call, and responds later', async () => {
    setFaults(runs.stateDirectory, { secretsmanager: 'slow' });
    const put = { SecretId: secret.ref, SecretString: 'written' };
    const controller = new AbortController();
    const responded = vi.fn();
    const ended = asFunction()
      .secrets.putSecretValue(put, { abortSignal: controller.signal })
      .then(responded, () => undefined);
    await expect.poll(readAsOperator).toMatchObject({ SecretString: 'written' });
    expect(responded).not.toHaveBeenCalled();
    controller.abort();
    await ended;
  });

  test('fails only the selected operation', async () => {
    const only = (other: string, own: string): FaultyCalls[] => [
      { operation: other, fault: 'failing' },
      { operation: own, fault: 'throttling' },
    ];
    setFaults(runs.stateDirectory, {
      dynamodb: only('UpdateItem', 'GetItem'),
      sts: only('AssumeRole', 'GetCallerIdentity'),
      s3: only('GetObjectTagging', 'PutObject'),
    });
    const { dynamodb, sts, s3 } = calls;
    const outcomes = await Promise.all([dynamodb, sts, s3].map(outcomeOf));
    expect(outcomes).toEqual([
      'ProvisionedThroughputExceededException 400',
      'Throttling 400',
      'SlowDown 503',
    ]);
  });

  test('EventBridge responds with 200 and rejects every entry', async () => {
    setFaults(runs.stateDirectory, { events: 'throttling' });
    const ErrorMessage = 'The request was denied due to request throttling.';
    const rejected = { ErrorCode: 'ThrottlingException', ErrorMessage };
    expect(await calls.events()).toMatchObject({ FailedEntryCount: 2, Entries: [rejected, rejected] });
  });

  test('S3 returns one conflict to a presigned PUT, which stores nothing', async () => {
    setFaults(runs.stateDirectory, { s3: [{ operation: 'PutObject', fault: 'conflict', calls: 1 }] });
    const once = { 'If-None-Match': '*' };
    expect(await put('once', once)).toMatchObject({ status: 409, code: 'ConditionalRequestConflict' });
    expect(await put('once', once)).toMatchObject({ status: 200 });
  });

  test('S3 returns no conflict for a PUT without a condition', async () => {
    setFaults(runs.stateDirectory, { s3: 'conflict' });
    expect(await put('unconditional')).toMatchObject({ status: 200 });
  });

  test.for([
    ['service', { lambda: 'failing' }, 'lambda'],
    ['fault', { s3: 'broken' }, 'broken'],
    ['operation', { s3: [{ operation: 'CopyObject', fault: 'failing' }] }, 'CopyObject'],
    ['option', { s3: [{ table: 'one', bucket: 'two', fault: 'failing' }] }, 'bucket'],
  ] as const)('rejects an unknown %s by name', async ([, faults, name]) => {
    expect(() => setFaults(runs.stateDirectory, faults as Faults)).toThrow(`"${name}"`);
    writeFileSync(faultsFile(runs.stateDirectory), JSON.stringify({ id: 'by hand', faults }));
    await expect(put('unknown')).rejects.toThrow();
    expect(logged.at(-1)).toMatchObject({ error: expect.stringContaining(`"${name}"`) });
  });

  test('fails the calls on one table of DynamoDB', async () => {
    const faults = [
      { table: 'other', fault: 'throttling' },
      { table: 't', fault: 'failing' },
    ] as const;
    setFaults(runs.stateDirectory, { dynamodb: faults });
    expect(await outcomeOf(calls.dynamodb)).toBe('InternalServerError 500');
  });

  test('counts calls from the time at which the fault was set', async () => {
    const outcomes = async () => {
      setFaults(runs.stateDirectory, { secretsmanager: [{ fault: 'throttling', calls: 1 }] });
      return [await outcomeOf(calls.secretsmanager), await outcomeOf(calls.secretsmanager)];
    };
    expect(await outcomes()).toEqual(['ThrottlingException 400', 'done']);
    expect(await outcomes()).toEqual(['ThrottlingException 400', 'done']);
  });

  test('does not affect the operator and other services', async () => {
    setFaults(runs.stateDirectory, { secretsmanager: 'failing', sts: 'throttling' });
    expect(await readAsOperator()).toHaveProperty('SecretString');
    expect(await outcomeOf(calls.dynamodb)).toBe('AccessDeniedException 400');
    setFaults(runs.stateDirectory, {});
    expect(await calls.secretsmanager()).toHaveProperty('SecretString');
  });
});
