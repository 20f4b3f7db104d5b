import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { S3Client } from '@aws-sdk/client-s3';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import type { BusEvent } from 'cloud-assembly-emulator';
import { parseEventPattern } from 'cloud-assembly-emulator';
import { ApiDestinationStack } from '../../../examples/consumers/cdk/api-destination-stack.ts';
import { ConsumerStack } from '../../../examples/consumers/cdk/consumer-stack.ts';
import { sqsClient } from '../../../tools/operator/deployment/aws-clients.ts';
import { createApiUser } from '../../support/api-user.ts';
import { useRunningStack } from '../../support/use-running-stack.ts';

/**
 * Tests the event consumers with events of a running stack. The CloudFormation consumer is part of that
 * stack.
 */

interface PlainTemplate {
  readonly Resources: Readonly<Record<string, { readonly Type: string; readonly Properties: object }>>;
  readonly Outputs: Readonly<Record<string, unknown>>;
}

const example = (path: string) =>
  fileURLToPath(new URL(`../../../examples/consumers/${path}`, import.meta.url));
const consumer: PlainTemplate = JSON.parse(readFileSync(example('cloudformation/template.json'), 'utf8'));

type CreateHandler = (
  dynamodb: { readonly send: (command: { input: Transaction }) => Promise<void> },
  s3: S3Client,
  tables: Readonly<Record<'catalogue' | 'handled', string>>,
  now: () => number,
) => (event: BusEvent) => Promise<void>;

interface Transaction {
  readonly TransactItems: readonly object[];
}

// Imported by its path, since it is JavaScript without types, as Lambda runs it.
const { createHandler }: { readonly createHandler: CreateHandler } = await import(
  example('cdk/handler/consume.mjs')
);

/** A role of another account, named in the setting of the stack. */
const reader = 'arn:aws:iam::111122223333:role/upload-consumer';

/**
 * Adds the resources and outputs of the consumer to the stack, and replaces the parameter with the stack's
 * bus.
 */
function withConsumer(template: unknown): unknown {
  const own = template as PlainTemplate;
  const [bus] = Object.entries(own.Resources).find(([, { Type }]) => Type === 'AWS::Events::EventBus') ?? [];
  const { Resources, Outputs }: PlainTemplate = JSON.parse(
    JSON.stringify(consumer).replaceAll('{"Ref":"EventBusName"}', JSON.stringify({ Ref: bus })),
  );
  return {
    ...own,
    Resources: { ...own.Resources, ...Resources },
    Outputs: { ...own.Outputs, ...Outputs },
  };
}

const stack = await useRunningStack({ changeTemplate: withConsumer, context: { contentReaders: reader } });
await (await createApiUser(stack)).store('content');
const event = stack.sentEvents[0] ?? expect.fail('no event was sent');

const sqs = await sqsClient(stack.deployment);

/** Receives events from a queue without deleting them. */
async function receive(output: string): Promise<readonly unknown[]> {
  const { Messages = [] } = await sqs.receiveMessage({
    QueueUrl: stack.outputs[output],
    VisibilityTimeout: 0,
  });
  return Messages.map(({ Body = '' }) => JSON.parse(Body));
}

describe('the consumer in CloudFormation', () => {
  test('gets the event of a running stack into its queue', async () => {
    expect(await receive('QueueUrl')).toEqual([event]);
    expect(event['detail-type']).toBe('Upload Completed');
  });

  test('keeps an event that its worker fails on five times', async () => {
    // It was received once above.
    const received = [];
    for (let attempt = 2; attempt <= 6; attempt += 1) {
      received.push((await receive('QueueUrl')).length);
    }
    expect(received).toEqual([1, 1, 1, 1, 0]);
    expect(await receive('DeadLetterQueueUrl')).toEqual([event]);
  });
});

describe('the API destination in CDK', () => {
  const template = Template.fromStack(
    new ApiDestinationStack(new App(), 'destination', {
      eventBusName: 'bus',
      endpoint: 'https://consumer.example.com/events',
      keySecretName: 'consumer-key',
    }),
  );

  test('posts to its endpoint with a key that is in no template', () => {
    template.hasResourceProperties('AWS::Events::ApiDestination', {
      HttpMethod: 'POST',
      InvocationEndpoint: 'https://consumer.example.com/events',
    });
    const key = '{{resolve:secretsmanager:consumer-key:SecretString:::}}';
    template.hasResourceProperties('AWS::Events::Connection', {
      AuthParameters: { ApiKeyAuthParameters: { ApiKeyName: 'x-api-key', ApiKeyValue: key } },
    });
  });

  test('gets the events of the stack, and keeps undelivered ones', () => {
    const [rule] = Object.values(template.findResources('AWS::Events::Rule'));
    expect(parseEventPattern(rule?.Properties.EventPattern, 'the rule')(event)).toBe(true);
    expect(rule?.Properties.Targets[0].DeadLetterConfig).toBeDefined();
  });
});

describe('the consumer in CDK', () => {
  const names = { eventBusName: 'bus', bucketName: 'bucket' };
  const template = Template.fromStack(new ConsumerStack(new App(), 'consumer', names));

  test('listens on its bus for the events that the stack sends', () => {
    const [rule] = Object.values(template.findResources('AWS::Events::Rule'));
    expect(rule?.Properties.EventBusName).toBe('bus');
    const pattern = parseEventPattern(rule?.Properties.EventPattern, 'the rule');
    expect(pattern(event)).toBe(true);
    const next = { ...event, detail: { ...event.detail, schema_version: 2 } };
    expect(pattern(next)).toBe(false);
  });

  test('keeps undelivered events, and events that its function failed on', () => {
    template.resourceCountIs('AWS::SQS::Queue', 1);
    const [rule] = Object.values(template.findResources('AWS::Events::Rule'));
    expect(rule?.Properties.Targets[0].DeadLetterConfig).toBeDefined();
    const [lambda] = Object.values(template.findResources('AWS::Lambda::Function'));
    expect(lambda?.Properties.DeadLetterConfig).toBeDefined();
    expect(lambda?.Properties.Handler).toBe('consume.handler');
  });

  const failed = (...codes: readonly string[]) =>
    Object.assign(new Error('cancelled'), {
      name: 'TransactionCanceledException',
      CancellationReasons: codes.map((Code) => ({ Code })),
    });

  /**
   * Creates an S3 client for a role of another account, with the read permission that the example grants to
   * its own role.
   */
  function s3OfReader(): S3Client {
    const Resource = `arn:aws:s3:::${event.detail.bucket}/uploads/*`;
    const Statement = { Effect: 'Allow', Action: 's3:GetObjectVersion', Resource };
    const policy = JSON.stringify({ Version: '2012-10-17', Statement });
    const credentials = stack.credentialsForRole(reader, 'consumer', policy);
    return new S3Client({ ...stack.deployment.awsConfig, credentials, forcePathStyle: true });
  }

  function handlerThat(fails?: Error) {
    const inputs: Transaction[] = [];
    const send = async ({ input }: { input: Transaction }) => {
      inputs.push(input);
      if (fails !== undefined) {
        throw fails;
      }
    };
    const tables = { catalogue: 'catalogue', handled: 'handled' };
    return { inputs, handle: createHandler({ send }, s3OfReader(), tables, () => 0) };
  }

  test('stores the event and its effect in one transaction', async () => {
    const { inputs, handle } = handlerThat();
    await handle(event);
    const [{ TransactItems: items } = { TransactItems: [] }, ...others] = inputs;
    expect(others).toEqual([]);
    const { event_id, file_id, upload_id } = event.detail;
    expect(items).toMatchObject([
      {
        Put: {
          Item: { event_id: { S: event_id }, delete_after: { N: '5184000' } },
          ConditionExpression: 'attribute_not_exists(event_id)',
        },
      },
      {
        Update: {
          Key: { file_id: { S: file_id } },
          ExpressionAttributeValues: { ':upload': { S: upload_id } },
        },
      },
    ]);
  });

  test('reads the version with the role that contentReaders names', async () => {
    const { inputs, handle } = handlerThat();
    await handle(event);
    expect(JSON.stringify(inputs)).toContain(createHash('sha256').update('content').digest('hex'));
  });

  test.for([
    ['is repeated', ['ConditionalCheckFailed', 'None']],
    ['comes late', ['None', 'ConditionalCheckFailed']],
  ] as const)('takes an event that %s, and does nothing', async ([, codes]) => {
    await expect(handlerThat(failed(...codes)).handle(event)).resolves.toBeUndefined();
  });

  // The event is delivered again.
  test.for([
    ['a conflict', failed('ConditionalCheckFailed', 'TransactionConflict')],
    ['another error', new Error('throttled')],
  ] as const)('fails after %s', async ([, error]) => {
    await expect(handlerThat(error).handle(event)).rejects.toThrow(error);
  });
});

test('the consumer of a local run prints each event once', async () => {
  const child = spawn(process.execPath, [example('local/print-events.mjs'), '0'], { stdio: 'pipe' });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  try {
    await expect.poll(() => output).toMatch(/http:\/\/127\.0\.0\.1:\d+\//);
    const [url = ''] = /http:\S+/.exec(output) ?? [];
    const post = async (body: string) => (await fetch(url, { method: 'POST', body })).status;
    expect(await post(JSON.stringify(event))).toBe(204);
    expect(await post(JSON.stringify(event))).toBe(204);
    expect(await post('no event')).toBe(400);
    const line = `Upload Completed: file ${event.detail.file_id}, upload ${event.detail.upload_id}`;
    await expect.poll(() => output.split('\n').filter((text) => text === line)).toEqual([line]);
  } finally {
    child.kill();
    await once(child, 'exit');
  }
});
