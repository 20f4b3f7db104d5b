import type { Credentials } from '../authentication/credentials.ts';
import type { TypedResource } from '../shared/resource-type.ts';
import { type functionType, latestVersion } from './resource-types.ts';

export type LambdaFunction = TypedResource<typeof functionType.properties>;

/**
 * Returns all environment variables of a function: its own, the variables that Lambda defines (AWS Lambda,
 * "Defined runtime environment variables"), and the address of the AWS endpoints.
 */
export function functionVariables(
  { ref: functionName, properties }: LambdaFunction,
  region: string,
  awsEndpoint: string,
  credentials: Credentials,
): Record<string, string> {
  return {
    ...properties.Environment?.Variables,
    _HANDLER: properties.Handler,
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
    AWS_EXECUTION_ENV: `AWS_Lambda_${properties.Runtime}`,
    AWS_LAMBDA_FUNCTION_NAME: functionName,
    AWS_LAMBDA_FUNCTION_VERSION: latestVersion,
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(properties.MemorySize),
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${functionName}`,
    AWS_LAMBDA_LOG_STREAM_NAME: 'local',
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_SESSION_TOKEN: credentials.sessionToken ?? '',
    AWS_ENDPOINT_URL: awsEndpoint,
    // The SDK would warn about the Node.js of this machine. The template chooses another Node.js.
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
    // A developer's own profile must not reach the SDK: Lambda has no such files.
    AWS_CONFIG_FILE: '/dev/null',
    AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
  };
}
