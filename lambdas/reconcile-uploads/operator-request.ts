import * as v from 'valibot';
import { uuidV7Pattern } from '../../storage/uuid-v7.ts';
import { InternalError } from '../shared/log/log.ts';

const uploadId = v.pipe(v.string(), v.regex(uuidV7Pattern));

/**
 * A request of an operator: record the stored ones of these uploads, or send their events again. A time is
 * never part of it: a time could end upload URLs that are still valid.
 */
const requestSchema = v.object({
  action: v.picklist(['record', 'announce']),
  uploads: v.pipe(v.array(uploadId), v.maxLength(100)),
  /** ARN of the operator. */
  operator: v.exactOptional(v.string()),
});

export type OperatorRequest = v.InferOutput<typeof requestSchema>;

/**
 * Reads the event of the function.
 *
 * @returns undefined for an event without an action, such as that of the schedule
 * @throws {InternalError} if the request is invalid
 */
export function readOperatorRequest(event: unknown): OperatorRequest | undefined {
  if (Object(event).action === undefined) {
    return undefined;
  }
  const result = v.safeParse(requestSchema, event);
  if (!result.success) {
    throw new InternalError('The event must name an action, and at most 100 upload ids');
  }
  return result.output;
}
