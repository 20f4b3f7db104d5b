import * as v from 'valibot';
import { defineResourceType } from '../shared/resource-type.ts';

/** The function that makes the resource gets all properties. The service token names the function. */
const customResourceSchema = v.looseObject({ ServiceToken: v.string() });

/**
 * A resource that a function makes while the emulator starts. Attributes are not supported: their values are known only
 * after the function has answered, but references are resolved before.
 */
export const customResourceType = defineResourceType('Custom::*', customResourceSchema);

/** Empties a bucket when the stack is deleted. The emulator never deletes the stack. */
export const autoDeleteObjectsType = defineResourceType(
  'Custom::S3AutoDeleteObjects',
  v.strictObject({ ServiceToken: v.string(), BucketName: v.string() }),
);

/** Whether a function makes resources of this type while the emulator starts. */
export function isMadeByFunction(type: string): boolean {
  return type.startsWith('Custom::') && type !== autoDeleteObjectsType.type;
}
