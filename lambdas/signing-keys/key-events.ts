import * as v from 'valibot';
import { customResourceSchema } from '../shared/custom-resource.ts';
import { InternalError } from '../shared/log/log.ts';
import { rotationSteps } from './rotate.ts';

/** Secrets Manager's request for one step of a rotation ("Lambda rotation functions"). */
const rotationSchema = v.object({
  Step: v.picklist(rotationSteps),
  SecretId: v.string(),
  ClientRequestToken: v.string(),
});

/** ARN of the operator, as sent by the tool. Absent from older tools. */
const operator = v.exactOptional(v.string());

/** An operator's request to revoke a leaked key. */
const revocationSchema = v.object({ action: v.literal('revoke'), kid: v.string(), operator });

/** An operator's request to replace every key, or to set the rotation schedule again when the secret has lost it. */
const otherSchema = v.object({ action: v.picklist(['revoke-all', 'schedule']), operator });

const operatorSchema = v.variant('action', [revocationSchema, otherSchema]);

const eventSchema = v.union([customResourceSchema, rotationSchema, operatorSchema]);

export type OperatorRequest = v.InferOutput<typeof operatorSchema>;
type KeyEvent = v.InferOutput<typeof eventSchema>;

/** @throws {InternalError} for an event of any other kind */
export function readKeyEvent(event: unknown): KeyEvent {
  const result = v.safeParse(eventSchema, event);
  if (!result.success) {
    throw new InternalError('Not an event of CloudFormation, Secrets Manager or an operator');
  }
  return result.output;
}
