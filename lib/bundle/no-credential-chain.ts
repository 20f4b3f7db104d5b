/**
 * Replaces `@aws-sdk/credential-provider-node` in the bundles. The functions pass the credentials that Lambda gives them,
 * so the SDK's chain of providers (profiles, SSO, instance metadata) is never called. It would be a third of each
 * bundle, loaded at every cold start.
 */
export function defaultProvider(): never {
  throw new Error('Pass credentials to the AWS client: the bundle has no chain of credential providers');
}
