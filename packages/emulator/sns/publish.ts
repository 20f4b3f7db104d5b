import { appendFile } from 'node:fs/promises';
import type { ServiceContext } from '../registry/aws-service.ts';
import { ofType } from '../shared/resource-type.ts';
import { subscriptionType, topicType } from './resource-types.ts';

/** A message that a service publishes to a topic. */
interface Publication {
  readonly topicArn: string;
  /** Publishing service, and the resource for which it publishes. */
  readonly service: string;
  readonly sourceArn: string;
  readonly subject: string;
  readonly message: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Publishes to a topic. Resolves when the message is stored. */
export type Publish = (publication: Publication) => Promise<void>;

export interface SnsSettings extends ServiceContext {
  /** File that receives a line of JSON for each published message. */
  readonly notificationsFile: string;
}

/**
 * Publishes to SNS topics. No message leaves the machine: each message and its recipients are written to a
 * file. Each subscription counts as confirmed. The policy of a topic in the template decides who may publish.
 */
export function createPublish(emulator: SnsSettings): Publish {
  const { resources, authorize, notificationsFile, disk, log } = emulator;
  const topics = new Set(ofType(resources, topicType).map(({ ref }) => ref));
  const subscriptions = ofType(resources, subscriptionType).map(({ properties }) => properties);
  return async ({ topicArn, service, sourceArn, subject, message, at }) => {
    const isOwn = topics.has(topicArn);
    const principal = { kind: 'service', service, sourceArn } as const;
    if (isOwn && !authorize({ principal, action: 'sns:Publish', resource: topicArn }).allowed) {
      log({
        level: 'error',
        message: 'the policy of a topic does not allow a service to publish',
        topicArn,
        service,
        sourceArn,
      });
      return;
    }
    const sentTo = subscriptions
      .filter(({ TopicArn }) => TopicArn === topicArn)
      .map(({ Protocol, Endpoint }) => ({ protocol: Protocol, endpoint: Endpoint }));
    // Message and recipients in AWS. The emulator does not know the subscribers of a topic that another stack
    // owns.
    const notification = {
      at: new Date(at).toISOString(),
      topic_arn: topicArn,
      subject,
      message,
      ...(isOwn ? { sent_to: sentTo } : {}),
    };
    const line = `${JSON.stringify(notification)}\n`;
    await appendFile(notificationsFile, line, { mode: 0o600 }).catch(disk.reportFailure);
  };
}
