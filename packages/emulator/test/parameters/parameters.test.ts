import { expect, test } from 'vitest';
import { recordedServices } from '../recordings/recording.ts';
import { sdkModule, sendCall } from '../recordings/send.ts';
import { bucketWith, prepareRuns, resource, table } from '../support/aws-services.ts';
import { inputMembers } from './input-members.ts';
import { knownOperations } from './operations.ts';

const runs = await prepareRuns([
  bucketWith(),
  table(),
  resource('Queue', 'AWS::SQS::Queue', {}),
  resource('Secret', 'AWS::SecretsManager::Secret', { SecretString: 'x' }),
]);
const aws = await runs.start();

const members = recordedServices.flatMap((service) =>
  Object.entries(knownOperations[service]).flatMap(([operation, { request, honours }]) =>
    inputMembers(Object(sdkModule(service))[`${operation}$`])
      // What is in a refused member cannot be sent alone.
      .filter(({ path }) => !path.includes('.') || honours.includes(path.slice(0, path.lastIndexOf('.'))))
      .map(({ path, wireName, within }) => ({
        title: `${service} ${operation} ${path}`,
        service,
        call: { call: operation, input: within(request) },
        wireName,
        isHonoured: honours.includes(path),
      })),
  ),
);

test.for(members.filter(({ isHonoured }) => isHonoured))('takes $title', async ({ service, call }) => {
  expect((await sendCall(aws, service, call)).status).not.toBe(501);
});

test.for(members.filter(({ isHonoured }) => !isHonoured))(
  'refuses by name $title',
  async ({ service, call, wireName }) => {
    const answer = await sendCall(aws, service, call);
    expect(answer.status).toBe(501);
    // An answer to HEAD has no body that could name anything.
    const named = call.call.startsWith('Head')
      ? wireName
      : `${answer.message} ${JSON.stringify(answer.members)}`;
    expect(named.toLowerCase()).toContain(wireName.toLowerCase());
  },
);
