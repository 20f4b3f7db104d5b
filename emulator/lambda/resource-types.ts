import * as v from 'valibot';
import type { ResourceType, ResourceTypes } from '../shared/resource-type.ts';
import { tagsSchema } from '../shared/tags.ts';
import { arn, physicalName } from '../shared/type-names.ts';

/** AWS::Lambda::Function. Code comes as an asset: the bundle that would be deployed. */
export const functionSchema = v.strictObject({
  Architectures: v.optional(v.array(v.string())),
  Code: v.strictObject({ S3Bucket: v.string(), S3Key: v.string() }),
  /** Where events go that failed after every retry: the AWS endpoints read it. */
  DeadLetterConfig: v.optional(v.strictObject({ TargetArn: v.string() })),
  Description: v.optional(v.string()),
  Environment: v.optional(v.strictObject({ Variables: v.record(v.string(), v.string()) })),
  Handler: v.string(),
  LoggingConfig: v.optional(
    v.strictObject({
      LogFormat: v.optional(v.literal('JSON')),
      LogGroup: v.optional(v.string()),
      ApplicationLogLevel: v.optional(v.string()),
      SystemLogLevel: v.optional(v.string()),
    }),
  ),
  /** Megabytes; Lambda's default is 128. */
  MemorySize: v.optional(v.number(), 128),
  ReservedConcurrentExecutions: v.optional(v.number()),
  Role: v.string(),
  Runtime: v.pipe(v.string(), v.regex(/^nodejs\d+\.x$/, 'only Node.js runtimes are supported')),
  Tags: v.optional(tagsSchema),
  /** Seconds; Lambda's default is 3. */
  Timeout: v.optional(v.number(), 3),
  /** Traces go to X-Ray, which changes nothing for the function. */
  TracingConfig: v.optional(v.strictObject({ Mode: v.string() })),
  RecursiveLoop: v.optional(v.string()),
});

/** AWS::Lambda::Permission. The HTTP API checks it before it serves; the account and source narrow it. */
export const permissionSchema = v.strictObject({
  Action: v.literal('lambda:InvokeFunction'),
  FunctionName: v.string(),
  Principal: v.string(),
  SourceAccount: v.optional(v.string()),
  SourceArn: v.optional(v.string()),
});

const functionType: ResourceType = {
  properties: functionSchema,
  ref: physicalName,
  attributes: {
    Arn: (logicalId, stack) => arn('lambda', `function:${physicalName(logicalId, stack)}`, stack),
  },
};

export const functionTypes: ResourceTypes = {
  'AWS::Lambda::Function': functionType,
  'AWS::Lambda::Permission': { properties: permissionSchema, ref: physicalName, attributes: {} },
};
