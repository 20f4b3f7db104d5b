import { randomBytes } from 'node:crypto';
import { EventBridge } from '@aws-sdk/client-eventbridge';
import type { SQS } from '@aws-sdk/client-sqs';
import { eventSource } from '../../contract/upload-events.ts';
import { sqsClient } from '../operator/deployment/aws-clients.ts';
import type { Deployment } from '../operator/deployment/deployment.ts';
import { type Check, EarlyOutcome, judge } from './outcome.ts';
import { upload } from './uploads.ts';

/** A rule takes effect within about a minute (EventBridge User Guide, "Troubleshooting Amazon EventBridge"). */
const attempts = 15;
/** Below the response timeout of the client. */
const waitSeconds = 8;

/**
 * Checks event delivery: a rule and a queue of this run receive the event of an upload, like those of a
 * consumer.
 */
export const delivery: Check = {
  id: 'delivery',
  label: 'receive the event of an upload in a queue',
  stackOnly: 'A local run has no consumer. It sends events to the URL of --events-to.',
  check: async (service) => {
    const listener = await listen(service.deployment, service.organisationId);
    try {
      for (let attempt = 1; attempt <= attempts; attempt++) {
        const { record } = await upload(service, attempt);
        const received = await listener.receive();
        if (received !== undefined) {
          const ours = received.includes(service.organisationId);
          return judge(ours, `The queue received the event of upload ${attempt}: ${record.upload_id}.`);
        }
      }
      return judge(false, `The queue received no event of ${attempts} uploads.`);
    } finally {
      await listener.stop();
    }
  },
};

/**
 * Checks the policy of the bus. It denies all principals except the functions that announce uploads,
 * regardless of their other permissions.
 */
export const busPolicy: Check = {
  id: 'bus-policy',
  label: 'try to send an event on the event bus',
  check: async ({ operator }) => {
    const denied = await operator.tryToAnnounce();
    if (denied === undefined) {
      return judge(false, 'The bus accepted an event of these credentials: its policy does not deny them.');
    }
    // If the operator is not permitted to send events, the policy of the bus remains unchecked
    // (docs/aws-facts.md, `iam-denial-message`).
    if (!denied.message.includes('explicit deny in a resource-based policy')) {
      throw new EarlyOutcome(
        `The call failed before the policy of the bus was checked: ${denied.name}: ${denied.message}. Run this with events:PutEvents on the bus, or skip this check with --skip.`,
      );
    }
    return judge(
      true,
      `These credentials may send events, and the policy of the bus rejected one: ${denied.name}.`,
    );
  },
};

/** Creates the queue and the rule, for the events of one organisation. */
async function listen(deployment: Deployment, organisationId: string) {
  const { stackName, awsConfig, outputs } = deployment;
  const [events, queues] = [new EventBridge(awsConfig), await sqsClient(deployment)];
  const { EventBusName } = outputs;
  const Name = `${stackName}-verify-${randomBytes(4).toString('hex')}`;
  const rule = { Name, EventBusName };
  const pattern = { source: [eventSource], detail: { organisation_id: [organisationId] } };
  const { RuleArn = '' } = await events.putRule({ ...rule, EventPattern: JSON.stringify(pattern) });
  const [, , , region, account] = RuleArn.split(':');
  const Arn = `arn:${RuleArn.split(':')[1]}:sqs:${region}:${account}:${Name}`;
  const { QueueUrl = '' } = await queues.createQueue({ QueueName: Name });
  const statement = {
    Effect: 'Allow',
    Principal: { Service: 'events.amazonaws.com' },
    Action: 'sqs:SendMessage',
    Resource: Arn,
    Condition: { ArnEquals: { 'aws:SourceArn': RuleArn } },
  };
  const Policy = JSON.stringify({ Version: '2012-10-17', Statement: [statement] });
  await queues.setQueueAttributes({ QueueUrl, Attributes: { Policy } });
  await events.putTargets({ Rule: Name, EventBusName, Targets: [{ Id: 'queue', Arn }] });
  return {
    receive: () => receive(queues, QueueUrl),
    stop: async () => {
      await events.removeTargets({ Rule: Name, EventBusName, Ids: ['queue'] });
      await events.deleteRule(rule);
      await queues.deleteQueue({ QueueUrl });
    },
  };
}

async function receive(queues: SQS, QueueUrl: string): Promise<string | undefined> {
  const { Messages = [] } = await queues.receiveMessage({ QueueUrl, WaitTimeSeconds: waitSeconds });
  return Messages[0]?.Body;
}
