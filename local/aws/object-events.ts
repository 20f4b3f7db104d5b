import type { Resource, StackIdentity } from '../template/resource-type.ts';
import type { EventBus } from './events/bus.ts';
import { objectCreatedEvent } from './events/object-created.ts';
import type { Outbox } from './events/outbox.ts';
import type { ReceivedRequest } from './http/request.ts';
import { ofType } from './resources.ts';
import type { ObjectListener } from './s3/object-store.ts';

/** For buckets that tell EventBridge nothing. */
const silent: ObjectListener = { prepare: async () => () => undefined };

/** Makes an event of each new object, for the buckets of the template that send them to EventBridge. */
export function createObjectEvents(
  resources: readonly Resource[],
  outbox: Outbox,
  bus: EventBus,
  stack: StackIdentity,
): (bucket: string, request: ReceivedRequest) => ObjectListener {
  const talking = new Set(
    ofType(resources, 'AWS::S3::Bucket')
      .filter(({ properties }) => {
        const bridge = properties.NotificationConfiguration?.EventBridgeConfiguration;
        return bridge !== undefined && (bridge.EventBridgeEnabled ?? true);
      })
      .map(({ ref }) => ref),
  );
  return (bucket, request) => {
    if (!talking.has(bucket)) return silent;
    return {
      prepare: async (version, descriptionPath) => {
        const event = objectCreatedEvent(bucket, version, request, stack);
        await outbox.add(event, descriptionPath);
        return () => bus.publish(event);
      },
    };
  };
}
