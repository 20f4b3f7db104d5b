/**
 * One configuration for every AWS client of the functions.
 *
 * A call that never answers costs at most 3 attempts x 1.5 s plus backoff (the SDK's standard mode: full jitter,
 * base 100 ms, so at most 0.3 s in all), about 4.8 s. That leaves time to answer 500 before
 * {@link answerWithinMilliseconds}, even after slow calls before it. `requestTimeout` alone only logs a warning: the SDK needs `throwOnRequestTimeout` to give up.
 * Connections are kept alive by the SDK's own agent.
 */
export function awsClientConfig(environment: Readonly<Record<string, string | undefined>> = process.env) {
  const endpoint = environment.AWS_ENDPOINT_URL;
  return {
    region: required(environment, 'AWS_REGION'),
    ...(endpoint ? { endpoint } : {}),
    maxAttempts: 3,
    requestHandler: {
      connectionTimeout: 1_000,
      requestTimeout: 1_500,
      throwOnRequestTimeout: true,
      // `requestTimeout` ends with the headers of the answer; a body that stops coming is this one's.
      socketTimeout: 1_500,
    },
    credentials: async () => credentialsFromEnvironment(environment),
  };
}

/** Milliseconds after which an API request is answered with 500, well before the function's timeout of 10 s. */
export const answerWithinMilliseconds = 8_500;

/**
 * Lambda always passes credentials by environment ("Defined runtime environment variables"), so the SDK's
 * chain of providers, which looks at files first, is not needed.
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
