import { awsResourceTypes } from '../aws/resource-types.ts';
import type { ResourceTypes } from './resource-type.ts';
import { customResourceTypes } from './types/custom-resources.ts';
import { functionTypes } from './types/functions.ts';
import { httpApiTypes } from './types/http-api.ts';
import { inertTypes } from './types/inert.ts';

/** Every resource type that the local run understands. Anything else stops the start. */
export const resourceTypes: ResourceTypes = {
  ...functionTypes,
  ...httpApiTypes,
  ...customResourceTypes,
  ...inertTypes,
  ...awsResourceTypes,
};
