/**
 * Replaces packages of the SDK in the bundles. The SDK imports them for every client, but the functions never use them.
 * Each would be loaded at every cold start.
 */

/**
 * Replaces `@aws-sdk/credential-provider-node`. The functions pass the credentials from Lambda's environment,
 * so the chain of providers (profiles, SSO, instance metadata) is never called.
 */
export function defaultProvider(): never {
  throw new Error('Pass credentials to the AWS client: the bundle has no chain of credential providers');
}

/**
 * Replaces `@smithy/core/event-streams`. No operation that the functions call sends or receives an event
 * stream.
 */
export class EventStreamSerde {
  constructor() {
    throw new Error('The bundle has no event streams: see lib/bundle/left-out.ts');
  }
}

export const eventStreamSerdeProvider = undefined;

/**
 * Replaces `@aws-sdk/middleware-endpoint-discovery`. The DynamoDB client prepares the discovery of endpoints,
 * but none of its commands uses it.
 */
export function resolveEndpointDiscoveryConfig<Config>(config: Config): Config {
  return config;
}

export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {
  environmentVariableSelector: () => undefined,
  default: undefined,
};

/** Required by S3, whose client includes one operation with an event stream. */
export function resolveEventStreamSerdeConfig<Config>(config: Config): Config {
  return config;
}
