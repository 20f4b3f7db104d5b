import * as v from 'valibot';
import { defineResourceType } from '../shared/resource-type.ts';

/** All properties except the service token are passed to the function that makes the resource. */
const customResourceSchema = v.looseObject({ ServiceToken: v.string() });

/**
 * A resource that a function makes while the emulator starts. Attributes are not supported: their
 * values are known only after the function has answered, but references are resolved before that.
 */
export const customResourceType = defineResourceType('Custom::*', customResourceSchema);

/** Empties a bucket when the stack is deleted, which never happens in the emulator. */
export const autoDeleteObjectsType = defineResourceType(
  'Custom::S3AutoDeleteObjects',
  v.strictObject({ ServiceToken: v.string(), BucketName: v.string() }),
);

/** Whether a function makes resources of this type while the emulator starts. */
export function isMadeByFunction(type: string): boolean {
  return type.startsWith('Custom::') && type !== autoDeleteObjectsType.type;
}
