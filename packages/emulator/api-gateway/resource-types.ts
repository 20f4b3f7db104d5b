import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { physicalName, type StackIdentity } from '../shared/names.ts';
import { defineResourceType, optionalText } from '../shared/resource-type.ts';

/** Tags are a map here, unlike in other services. The emulator ignores them. */
const tagMapSchema = v.optional(v.record(v.string(), v.string()));

const apiSchema = v.strictObject({
  Name: v.string(),
  Description: optionalText,
  ProtocolType: v.literal('HTTP'),
  // The emulator listens on IPv4 loopback only.
  IpAddressType: v.optional(v.picklist(['ipv4', 'dualstack'])),
  Tags: tagMapSchema,
});

const throttleSchema = v.strictObject({
  /** Requests at the same moment. */
  ThrottlingBurstLimit: v.number(),
  /** Requests per second. */
  ThrottlingRateLimit: v.number(),
});

/** The stage must be `$default`: paths then start at the base URL. It must have limits and an access log. */
const stageSchema = v.strictObject({
  ApiId: v.string(),
  StageName: v.literal('$default'),
  AutoDeploy: v.literal(true),
  AccessLogSettings: v.strictObject({ DestinationArn: v.string(), Format: v.string() }),
  DefaultRouteSettings: throttleSchema,
  /** Settings by route key. */
  RouteSettings: v.optional(v.record(v.string(), throttleSchema), {}),
  Tags: tagMapSchema,
});

/** Authorizers are not supported: functions verify tokens themselves. */
const routeSchema = v.strictObject({
  ApiId: v.string(),
  AuthorizationType: v.optional(v.literal('NONE')),
  RouteKey: v.string(),
  Target: v.string(),
});

/** An integration invokes a function with payload format 2.0. */
const integrationSchema = v.strictObject({
  ApiId: v.string(),
  IntegrationType: v.literal('AWS_PROXY'),
  IntegrationUri: v.string(),
  PayloadFormatVersion: v.literal('2.0'),
});

export const apiType = defineResourceType('AWS::ApiGatewayV2::Api', apiSchema, {
  ref: gatewayId,
  attributes: {
    ApiEndpoint: (logicalId, stack) =>
      `https://${gatewayId(logicalId, stack)}.execute-api.${stack.region}.${stack.urlSuffix}`,
  },
});

export const stageType = defineResourceType('AWS::ApiGatewayV2::Stage', stageSchema, {
  ref: () => '$default',
});

export const routeType = defineResourceType('AWS::ApiGatewayV2::Route', routeSchema, { ref: gatewayId });

export const integrationType = defineResourceType('AWS::ApiGatewayV2::Integration', integrationSchema, {
  ref: gatewayId,
});

/**
 * Derives an identifier from the logical ID, in the form of API Gateway: ten lower-case letters and digits.
 * AWS generates it at random.
 */
function gatewayId(logicalId: string, stack: StackIdentity): string {
  const digest = createHash('sha256').update(physicalName(logicalId, stack)).digest('hex');
  return BigInt(`0x${digest}`).toString(36).slice(0, 10);
}
