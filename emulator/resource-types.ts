import { httpApiTypes } from './api-gateway/resource-types.ts';
import { awsResourceTypes } from './aws-resource-types.ts';
import { customResourceTypes } from './cloudformation/resource-types.ts';
import { inertTypes } from './cloudwatch/resource-types.ts';
import { functionTypes } from './lambda/resource-types.ts';
import type { ResourceTypes } from './shared/resource-type.ts';

/** Every resource type that the local run understands. Anything else stops the start. */
export const resourceTypes: ResourceTypes = {
  ...functionTypes,
  ...httpApiTypes,
  ...customResourceTypes,
  ...inertTypes,
  ...awsResourceTypes,
};
