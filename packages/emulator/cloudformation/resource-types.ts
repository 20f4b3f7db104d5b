import * as v from 'valibot';
import { defineResourceType } from '../shared/resource-type.ts';

/** The service token names the function that creates the resource. The function receives all properties. */
const customResourceSchema = v.looseObject({ ServiceToken: v.string() });

/**
 * A resource that a function creates while the emulator starts. Attributes are not supported: references are
 * resolved before the function returns their values.
 */
export const customResourceType = defineResourceType('Custom::*', customResourceSchema);

/** Empties a bucket when the stack is deleted. The emulator never deletes the stack. */
export const autoDeleteObjectsType = defineResourceType(
  'Custom::S3AutoDeleteObjects',
  v.strictObject({ ServiceToken: v.string(), BucketName: v.string() }),
);

/** Returns true if a function creates resources of this type while the emulator starts. */
export function isCreatedByFunction(type: string): boolean {
  return type.startsWith('Custom::') && type !== autoDeleteObjectsType.type;
}
