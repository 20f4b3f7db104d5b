import { randomUUID } from 'node:crypto';
import type { ReceivedRequest } from '../protocols/request.ts';
import type { ObjectVersion } from '../s3/object-version.ts';
import type { StackIdentity } from '../shared/resource-type.ts';

/** An event of EventBridge. */
export interface BusEvent {
  readonly version: '0';
  readonly id: string;
  readonly 'detail-type': string;
  readonly source: string;
  readonly account: string;
  readonly time: string;
  readonly region: string;
  readonly resources: readonly string[];
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Makes S3's "Object Created" event (S3 User Guide, "EventBridge event message structure"). */
export function objectCreatedEvent(
  bucket: string,
  version: ObjectVersion,
  request: ReceivedRequest,
  stack: StackIdentity,
): BusEvent {
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': 'Object Created',
    source: 'aws.s3',
    account: stack.accountId,
    time: new Date(version.lastModified).toISOString().replace(/\.\d+Z$/, 'Z'),
    region: stack.region,
    resources: [`arn:${stack.partition}:s3:::${bucket}`],
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
  };
}
