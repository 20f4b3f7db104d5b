import * as v from 'valibot';
import type { ResourceType, ResourceTypes } from '../shared/resource-type.ts';
import { physicalName } from '../shared/type-names.ts';

/** A custom resource: everything but the service token is for the function that makes it. */
export const customResourceSchema = v.looseObject({ ServiceToken: v.string() });

/**
 * Made by its function while the local run starts. Attributes are not supported: their values are known only
 * after the function has answered, and nothing in the stack needs one.
 */
const customResourceType: ResourceType = {
  properties: customResourceSchema,
  ref: physicalName,
  attributes: {},
};

/** Empties the bucket when the stack is deleted, which the local run never does. */
const autoDeleteObjectsType: ResourceType = {
  properties: v.strictObject({ ServiceToken: v.string(), BucketName: v.string() }),
  ref: physicalName,
  attributes: {},
};

export const autoDeleteObjectsTypeName = 'Custom::S3AutoDeleteObjects';

export const customResourceTypes: ResourceTypes = {
  'AWS::CloudFormation::CustomResource': customResourceType,
  'Custom::*': customResourceType,
  [autoDeleteObjectsTypeName]: autoDeleteObjectsType,
};

/** Whether a function makes this resource while the local run starts. */
export function isMadeByFunction(type: string): boolean {
  if (type === autoDeleteObjectsTypeName) return false;
  return type === 'AWS::CloudFormation::CustomResource' || type.startsWith('Custom::');
}
