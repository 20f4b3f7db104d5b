/**
 * Returns the configuration of every AWS client of the functions.
 *
 * A call that gets no response takes at most about 4.8 s: 3 attempts of 1.5 s, and 0.3 s of backoff (the
 * SDK's standard mode: full jitter, base 100 ms). So a request gets a response within {@link
 * respondWithinMilliseconds}, even after other slow calls. After `requestTimeout` alone, the SDK logs a
 * warning and waits on; `throwOnRequestTimeout` aborts the call. The SDK's own agent keeps connections alive.
 */
export function awsClientConfig(environment: Readonly<Record<string, string | undefined>> = process.env) {
  const endpoint = environment.AWS_ENDPOINT_URL;
  return {
    region: required(environment, 'AWS_REGION'),
    ...(endpoint ? { endpoint } : {}),
    // The complete endpoint is known here. Otherwise the SDK would search for endpoint settings at every
    // call.
    ignoreConfiguredEndpointUrls: true,
    useDualstackEndpoint: false,
    useFipsEndpoint: false,
    // The SDK's defaults. Without them, the SDK would look for files in the home directory, which Lambda does not have.
    // Stryker disable ArrayDeclaration,StringLiteral: only the time that a cold start takes could tell
    authSchemePreference: [],
    disableClockSkewCorrection: false,
    userAgentAppId: '',
    accountIdEndpointMode: 'disabled' as const,
    maxAttempts: 3,
    retryMode: 'standard',
    // Stryker restore all
    // The chain of middleware is built once for each command, not at each call.
    cacheMiddleware: true,
    requestHandler: {
      connectionTimeout: 1_000,
      requestTimeout: 1_500,
      throwOnRequestTimeout: true,
      // `requestTimeout` covers the time until the headers of the response arrive. This timeout covers a body
      // that stalls.
      socketTimeout: 1_500,
    },
    credentials: async () => credentialsFromEnvironment(environment),
  };
}

/**
 * Returns the credentials that Lambda always passes in environment variables ("Defined runtime environment
 * variables"). So the SDK's chain of credential providers is not needed.
 */
function credentialsFromEnvironment(environment: Readonly<Record<string, string | undefined>>) {
  const sessionToken = environment.AWS_SESSION_TOKEN;
  return {
    accessKeyId: required(environment, 'AWS_ACCESS_KEY_ID'),
    secretAccessKey: required(environment, 'AWS_SECRET_ACCESS_KEY'),
    ...(sessionToken ? { sessionToken } : {}),
  };
}

function required(environment: Readonly<Record<string, string | undefined>>, name: string): string {
  const value = environment[name];
  if (!value) {
    throw new Error(`Missing environment variable: ${name}`);
  }
  return value;
}
