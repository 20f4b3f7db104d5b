import * as v from 'valibot';
import type { ResourceType, ResourceTypes } from '../shared/resource-type.ts';
import { tagsSchema } from '../shared/tags.ts';
import { gatewayId } from '../shared/type-names.ts';

/** AWS::ApiGatewayV2::Api, HTTP protocol, without CORS. */
export const apiSchema = v.strictObject({
  Name: v.string(),
  Description: v.optional(v.string()),
  ProtocolType: v.literal('HTTP'),
  /** The default address stays open: the local run has no other. */
  DisableExecuteApiEndpoint: v.optional(v.literal(false)),
  Tags: v.optional(tagsSchema),
});

const throttleSchema = v.strictObject({
  /** Requests that may come at once. */
  ThrottlingBurstLimit: v.optional(v.number()),
  /** Requests per second. */
  ThrottlingRateLimit: v.optional(v.number()),
  /** Metrics go to CloudWatch, which is not here. */
  DetailedMetricsEnabled: v.optional(v.boolean()),
});

export type StageThrottle = v.InferOutput<typeof throttleSchema>;

/** AWS::ApiGatewayV2::Stage: `$default`, so that paths start at the base URL. */
export const stageSchema = v.strictObject({
  ApiId: v.string(),
  StageName: v.literal('$default'),
  AutoDeploy: v.literal(true),
  Description: v.optional(v.string()),
  AccessLogSettings: v.optional(v.strictObject({ DestinationArn: v.string(), Format: v.string() })),
  DefaultRouteSettings: v.optional(throttleSchema),
  Tags: v.optional(tagsSchema),
});

/** AWS::ApiGatewayV2::Route. Authorizers are not supported: functions verify tokens themselves. */
export const routeSchema = v.strictObject({
  ApiId: v.string(),
  AuthorizationType: v.optional(v.literal('NONE')),
  RouteKey: v.string(),
  Target: v.string(),
});

/** AWS::ApiGatewayV2::Integration: a function, with payload format 2.0. */
export const integrationSchema = v.strictObject({
  ApiId: v.string(),
  IntegrationType: v.literal('AWS_PROXY'),
  IntegrationUri: v.string(),
  IntegrationMethod: v.optional(v.literal('POST')),
  PayloadFormatVersion: v.literal('2.0'),
  Description: v.optional(v.string()),
  /** Milliseconds; at most, and by default, 30,000. */
  TimeoutInMillis: v.optional(v.pipe(v.number(), v.maxValue(30_000)), 30_000),
});

const apiType: ResourceType = {
  properties: apiSchema,
  ref: gatewayId,
  attributes: {
    ApiId: gatewayId,
    ApiEndpoint: (logicalId, stack) =>
      `https://${gatewayId(logicalId, stack)}.execute-api.${stack.region}.${stack.urlSuffix}`,
  },
};

export const httpApiTypes: ResourceTypes = {
  'AWS::ApiGatewayV2::Api': apiType,
  'AWS::ApiGatewayV2::Stage': { properties: stageSchema, ref: () => '$default', attributes: {} },
  'AWS::ApiGatewayV2::Route': { properties: routeSchema, ref: gatewayId, attributes: {} },
  'AWS::ApiGatewayV2::Integration': {
    properties: integrationSchema,
    ref: gatewayId,
    attributes: { IntegrationId: gatewayId },
  },
};
