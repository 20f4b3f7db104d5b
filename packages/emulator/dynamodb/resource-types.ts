import * as v from 'valibot';
import { arnOf } from '../shared/names.ts';
import { defineResourceType, tagListSchema } from '../shared/resource-type.ts';

const keySchema = v.array(
  v.strictObject({ AttributeName: v.string(), KeyType: v.picklist(['HASH', 'RANGE']) }),
);

const indexSchema = v.strictObject({
  IndexName: v.string(),
  KeySchema: keySchema,
  Projection: v.strictObject({
    ProjectionType: v.picklist(['ALL', 'KEYS_ONLY', 'INCLUDE']),
    NonKeyAttributes: v.optional(v.array(v.string())),
  }),
});

const tableSchema = v.strictObject({
  AttributeDefinitions: v.array(
    v.strictObject({ AttributeName: v.string(), AttributeType: v.picklist(['S', 'N', 'B']) }),
  ),
  KeySchema: keySchema,
  GlobalSecondaryIndexes: v.optional(v.array(indexSchema)),
  BillingMode: v.literal('PAY_PER_REQUEST'),
  // Backups and encryption at rest do not affect callers. A call begins the protection from deletion.
  PointInTimeRecoverySpecification: v.optional(
    v.strictObject({
      PointInTimeRecoveryEnabled: v.boolean(),
    }),
  ),
  SSESpecification: v.optional(
    v.strictObject({
      SSEEnabled: v.boolean(),
    }),
  ),
  TimeToLiveSpecification: v.optional(v.strictObject({ AttributeName: v.string(), Enabled: v.boolean() })),
  Tags: tagListSchema,
});

export const tableType = defineResourceType('AWS::DynamoDB::Table', tableSchema, {
  attributes: { Arn: arnOf('dynamodb', 'table/') },
});
