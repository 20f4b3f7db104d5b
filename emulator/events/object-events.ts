import type { ReceivedRequest } from '../protocols/request.ts';
import type { ObjectListener } from '../s3/object-store.ts';
import type { Resource, StackIdentity } from '../shared/resource-type.ts';
import { ofType } from '../shared/resources.ts';
import type { EventBus } from './bus.ts';
import { objectCreatedEvent } from './object-created.ts';
import type { Outbox } from './outbox.ts';

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
