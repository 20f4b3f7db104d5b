import type { Credentials } from '../authentication/credentials.ts';

export interface VariablesOptions {
  readonly functionName: string;
  /** Number of a version, or `$LATEST`. */
  readonly version: string;
  readonly handler: string;
  readonly memoryMegabytes: number;
  readonly runtime: string;
  readonly region: string;
  readonly awsEndpoint: string;
  readonly credentials: Credentials;
  /** Variables of the template. */
  readonly own: Readonly<Record<string, string>>;
}

/**
 * The whole environment of a function: its own variables, those that Lambda defines (AWS Lambda, "Defined runtime
 * environment variables"), and the address of the AWS endpoints.
 */
export function functionVariables(options: VariablesOptions): Record<string, string> {
  const { functionName, credentials, region } = options;
  return {
    ...options.own,
    _HANDLER: options.handler,
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
    AWS_EXECUTION_ENV: `AWS_Lambda_${options.runtime}`,
    AWS_LAMBDA_FUNCTION_NAME: functionName,
    AWS_LAMBDA_FUNCTION_VERSION: options.version,
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(options.memoryMegabytes),
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${functionName}`,
    AWS_LAMBDA_LOG_STREAM_NAME: 'local',
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    ...(credentials.sessionToken === undefined ? {} : { AWS_SESSION_TOKEN: credentials.sessionToken }),
    AWS_ENDPOINT_URL: options.awsEndpoint,
    // The SDK's notice is about the Node.js of this machine, which is not the one that the template chooses.
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
    // A developer's own profile must not reach the SDK: Lambda has no such files.
    AWS_CONFIG_FILE: '/dev/null',
    AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
  };
}
