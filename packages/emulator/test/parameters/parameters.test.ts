import { expect, test } from 'vitest';
import { recordedServices } from '../recordings/recording.ts';
import { sdkModules, sendCall, sendPresigned } from '../recordings/send.ts';
import { bucketWith, prepareRuns, resource, table } from '../support/aws-services.ts';
import { inputMembers } from './input-members.ts';
import { knownOperations, supportedInUploadUrls } from './operations.ts';

const runs = await prepareRuns([
  bucketWith(),
  table(),
  resource('Queue', 'AWS::SQS::Queue', {}),
  resource('Secret', 'AWS::SecretsManager::Secret', { SecretString: 'x' }),
]);
const aws = await runs.start();

const members = recordedServices.flatMap((service) =>
  Object.entries(knownOperations[service]).flatMap(
    ([operation, { request = {}, honours, values = {}, unsent = [] }]) =>
      inputMembers(Object(sdkModules[service])[`${operation}$`])
        .filter(({ path }) => !unsent.includes(path))
        // Members inside a rejected member cannot be sent without it.
        .filter(({ path }) => !path.includes('.') || honours.includes(path.slice(0, path.lastIndexOf('.'))))
        .map(({ path, wireName, within }) => ({
          title: `${service} ${operation} ${path}`,
          service,
          call: {
            call: operation,
            input: { ...within(request), ...(path in values ? { [path]: values[path] } : {}) },
          },
          wireName,
          isSupported: honours.includes(path),
        })),
  ),
);

test('no parameter is missing here', () => expect(members.length).toBeGreaterThan(250));

test.for(members.filter(({ isSupported }) => isSupported))('accepts $title', async ({ service, call }) => {
  expect((await sendCall(aws, service, call)).status).not.toBe(501);
});

test.for(members.filter(({ isSupported }) => !isSupported))(
  'rejects by name $title',
  async ({ service, call, wireName }) => {
    const response = await sendCall(aws, service, call);
    expect(response.status).toBe(501);
    // A response to HEAD has no body that could name a parameter.
    const named = call.call.startsWith('Head')
      ? wireName
      : `${response.message} ${JSON.stringify(response.members)}`;
    expect(named.toLowerCase()).toContain(wireName.toLowerCase());
  },
);

test('an unsupported operation is rejected by name', async () => {
  const call = { call: 'PurgeQueue', input: { QueueUrl: 'test-Queue' } };
  const message = 'The emulator does not support the operation PurgeQueue.';
  expect(await sendCall(aws, 'sqs', call)).toMatchObject({ status: 501, message });
});

const ofPutObject = inputMembers(Object(sdkModules.s3).PutObject$).filter(({ isHeader }) => isHeader);
const hoisted = ofPutObject.map(({ wireName }) => wireName);

test.for(hoisted.filter((name) => !supportedInUploadUrls.includes(name)))(
  'rejects by name %s in an upload URL',
  async (name) => {
    const response = await sendPresigned(aws, { key: 'object', query: { [name]: 'x' } });
    expect(response).toMatchObject({ status: 501, members: { Header: name } });
  },
);
