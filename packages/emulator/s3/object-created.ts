import type { EventBus } from '../events/bus.ts';
import { type BusEvent, createEvent, defaultBus, type Outbox } from '../events/outbox.ts';
import type { ReceivedRequest } from '../protocols/request.ts';
import type { StackIdentity } from '../shared/names.ts';
import { ofType, type Resource } from '../shared/resource-type.ts';
import type { PrepareObject } from './object-store.ts';
import type { ObjectVersion } from './object-version.ts';
import { bucketArn, bucketType } from './resource-types.ts';

/** Creates an event for each new object in the buckets of the template that send events to EventBridge. */
export function createObjectEvents(
  resources: readonly Resource[],
  outbox: Outbox,
  bus: EventBus,
  stack: StackIdentity,
): (bucket: string, request: ReceivedRequest) => PrepareObject {
  const senders = new Set(
    ofType(resources, bucketType)
      .filter(({ properties }) => properties.NotificationConfiguration !== undefined)
      .map(({ ref }) => ref),
  );
  return (bucket, request) => async (version, descriptionPath) => {
    if (!senders.has(bucket)) {
      return () => undefined;
    }
    const sent = { bus: defaultBus, event: objectCreatedEvent(bucket, version, request, stack) };
    await outbox.add(sent, descriptionPath);
    return () => bus.publish(sent);
  };
}

/** S3's "Object Created" event (S3 User Guide, "EventBridge event message structure"). */
function objectCreatedEvent(
  bucket: string,
  version: ObjectVersion,
  request: ReceivedRequest,
  stack: StackIdentity,
): BusEvent {
  return createEvent(stack, new Date(version.lastModified), {
    'detail-type': 'Object Created',
    source: 'aws.s3',
    resources: [bucketArn(bucket, stack)],
    detail: {
      version: '0',
      bucket: { name: bucket },
      object: {
        key: version.key,
        size: version.size,
        etag: version.etag,
        'version-id': version.versionId,
        sequencer: version.sequencer,
      },
      'request-id': request.requestId,
      requester: stack.accountId,
      'source-ip-address': request.sourceIp,
      reason: 'PutObject',
    },
  });
}
