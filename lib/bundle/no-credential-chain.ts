/**
 * Stands in for `@aws-sdk/credential-provider-node` in the bundles. The functions pass the credentials that Lambda
 * gives them, so the SDK's chain of providers (profiles, SSO, instance metadata) is a third of a bundle that is
 * loaded at every cold start and never called.
 */
export function defaultProvider(): never {
  throw new Error('Pass credentials to the AWS client: the bundle has no chain of credential providers');
}
