import * as v from 'valibot';
import { policiesFrom } from '../iam/policy-store.ts';
import { arnOf, regionalArn, type StackIdentity } from '../shared/names.ts';
import { countSchema, defineResourceType, optionalText, tagListSchema } from '../shared/resource-type.ts';

/** The only version of a function here. Versions with numbers are not supported. */
export const latestVersion = '$LATEST';

/** The code of a function is an asset: its bundle. */
const functionSchema = v.strictObject({
  Architectures: v.optional(v.array(v.string())),
  Code: v.strictObject({ S3Bucket: v.string(), S3Key: v.string() }),
  /** Target of an event that failed after every retry. */
  DeadLetterConfig: v.optional(v.strictObject({ TargetArn: v.string() })),
  Description: optionalText,
  Environment: v.optional(v.strictObject({ Variables: v.record(v.string(), v.string()) })),
  Handler: v.string(),
  LoggingConfig: v.optional(
    v.strictObject({
      LogFormat: v.optional(v.literal('JSON')),
      LogGroup: optionalText,
      SystemLogLevel: optionalText,
    }),
  ),
  /** Megabytes; Lambda's default is 128. */
  MemorySize: v.optional(v.number(), 128),
  Role: v.string(),
  Runtime: v.pipe(v.string(), v.regex(/^nodejs\d+\.x$/, 'only Node.js runtimes are supported')),
  Tags: tagListSchema,
  /** Seconds; Lambda's default is 3. */
  Timeout: v.optional(v.number(), 3),
});

export const functionType = defineResourceType('AWS::Lambda::Function', functionSchema, {
  attributes: { Arn: arnOf('lambda', 'function:') },
});

/** Lets a service of AWS invoke a function. An account and a source narrow the permission. */
export const permissionType = defineResourceType(
  'AWS::Lambda::Permission',
  v.strictObject({
    Action: v.literal('lambda:InvokeFunction'),
    FunctionName: v.string(),
    Principal: v.string(),
    SourceAccount: optionalText,
    SourceArn: optionalText,
  }),
);

export const eventInvokeConfigType = defineResourceType(
  'AWS::Lambda::EventInvokeConfig',
  v.strictObject({
    FunctionName: v.string(),
    Qualifier: v.literal('$LATEST'),
    MaximumEventAgeInSeconds: v.optional(countSchema),
    MaximumRetryAttempts: v.optional(countSchema),
  }),
);

/**
 * Returns the policies of the template's functions: a statement for each permission (Lambda API reference,
 * AddPermission).
 *
 * @throws {Error} naming a permission for a principal that is not an AWS service
 */
export const functionPolicies = policiesFrom(permissionType, ({ logicalId, properties }, stack) => {
  const { Action, FunctionName, Principal, SourceAccount, SourceArn } = properties;
  if (!Principal.endsWith('.amazonaws.com')) {
    throw new Error(`${logicalId}: only services of AWS may be permitted to invoke, not ${Principal}`);
  }
  const arn = functionArn(functionNameOf(FunctionName), stack);
  const statement = {
    Effect: 'Allow',
    Action,
    Resource: arn,
    Principal: { Service: Principal },
    Condition: {
      ...(SourceArn === undefined ? {} : { ArnLike: { 'aws:SourceArn': SourceArn } }),
      ...(SourceAccount === undefined ? {} : { StringEquals: { 'aws:SourceAccount': SourceAccount } }),
    },
  };
  return { owners: [arn], document: { Version: '2012-10-17', Statement: [statement] } };
});

export function functionArn(functionName: string, stack: StackIdentity): string {
  return regionalArn('lambda', `function:${functionName}`, stack);
}

/** Returns the name of a function, from its name or its ARN. */
export function functionNameOf(nameOrArn: string): string {
  return nameOrArn.replace(/^.*:function:/, '');
}
