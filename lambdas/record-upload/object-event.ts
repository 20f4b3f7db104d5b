import * as v from 'valibot';
import { type CreatedObject, withoutQuotes } from '../shared/recording/bucket.ts';

/**
 * The members of S3's "Object Created" event that are read (Amazon S3 User Guide, "EventBridge event message
 * structure").
 */
const eventSchema = v.object({
  time: v.pipe(v.string(), v.isoTimestamp()),
  detail: v.object({
    object: v.object({
      key: v.string(),
      size: v.pipe(v.number(), v.integer(), v.minValue(0)),
      etag: v.string(),
      'version-id': v.string(),
    }),
    'source-ip-address': v.exactOptional(v.string()),
  }),
  /** Only in an event that an operator replays (tools/operator/deployment/invoke-function.ts). */
  operator: v.exactOptional(v.string()),
});

/** @throws {v.ValiError} if the event is not an "Object Created" event */
export function readObjectEvent(event: unknown): CreatedObject {
  const { time, detail, operator } = v.parse(eventSchema, event);
  const { key, size, etag } = detail.object;
  return {
    key,
    versionId: detail.object['version-id'],
    size,
    etag: withoutQuotes(etag),
    createdAt: new Date(time),
    sourceIp: detail['source-ip-address'],
    operator,
  };
}
