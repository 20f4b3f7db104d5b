import { apiType, integrationType, routeType, stageType } from './api-gateway/resource-types.ts';
import { autoDeleteObjectsType, customResourceType } from './cloudformation/resource-types.ts';
import { alarmType, dashboardType } from './cloudwatch/resource-types.ts';
import { tableType } from './dynamodb/resource-types.ts';
import { eventBusType, ruleType } from './events/resource-types.ts';
import { policyType, roleType } from './iam/resource-types.ts';
import { keyType } from './kms/resource-types.ts';
import { eventInvokeConfigType, functionType, permissionType } from './lambda/resource-types.ts';
import { logGroupType, metricFilterType, queryDefinitionType } from './logs/resource-types.ts';
import { bucketPolicyType, bucketType } from './s3/resource-types.ts';
import { secretType } from './secrets-manager/resource-types.ts';
import type { ResourceType, ResourceTypes } from './shared/resource-type.ts';
import { subscriptionType, topicPolicyType, topicType } from './sns/resource-types.ts';
import { queuePolicyType, queueType } from './sqs/resource-types.ts';

const types: readonly ResourceType[] = [
  alarmType,
  apiType,
  autoDeleteObjectsType,
  bucketPolicyType,
  bucketType,
  customResourceType,
  dashboardType,
  eventBusType,
  eventInvokeConfigType,
  functionType,
  integrationType,
  keyType,
  logGroupType,
  metricFilterType,
  permissionType,
  policyType,
  queryDefinitionType,
  queuePolicyType,
  queueType,
  roleType,
  routeType,
  ruleType,
  secretType,
  stageType,
  subscriptionType,
  tableType,
  topicPolicyType,
  topicType,
];

/** Every resource type that the emulator understands, by its name in the template. Any other stops the start. */
export const resourceTypes: ResourceTypes = Object.fromEntries(types.map((type) => [type.type, type]));
