import { isUnreachable, OperationError, systemCode } from '../errors.ts';
import { printable, quoted } from '../text.ts';

/** Messages for errors that an operator can fix, by the name of the error. */
const advice: Readonly<Record<string, string>> = {
  CredentialsProviderError:
    'No AWS credentials were found. Sign in (aws sso login), or set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
  ExpiredToken: 'The AWS credentials have expired. Sign in again.',
  ExpiredTokenException: 'The AWS credentials have expired. Sign in again.',
  InvalidClientTokenId: 'AWS does not know these credentials. Check AWS_PROFILE and AWS_ACCESS_KEY_ID.',
  UnrecognizedClientException:
    'AWS does not know these credentials. Check AWS_PROFILE and AWS_ACCESS_KEY_ID.',
  SignatureDoesNotMatch:
    'AWS rejected the signature. Check AWS_SECRET_ACCESS_KEY and the clock of this machine.',
};

const accessDeniedNames = new Set([
  'AccessDenied',
  'AccessDeniedException',
  'Forbidden',
  'UnauthorizedOperation',
]);

/** Whether the credentials are valid, but do not allow the call. */
export function isAccessDenied(error: unknown): boolean {
  return error instanceof Error && accessDeniedNames.has(error.name);
}

/** The SDK does not say that a profile does not exist. */
function profileOf({ AWS_PROFILE }: NodeJS.ProcessEnv): string {
  return AWS_PROFILE ? ` AWS_PROFILE is ${quoted(AWS_PROFILE)}: check that this profile exists.` : '';
}

/**
 * Turns the error of an AWS call into a {@link OperationError} that says what to do. Returns other errors unchanged.
 *
 * @param env tells which profile was chosen
 */
export function explainAwsError(error: unknown, env: NodeJS.ProcessEnv = {}): unknown {
  if (!(error instanceof Error) || error instanceof OperationError) {
    return error;
  }
  const explanation = explanationOf(error, env);
  return explanation === undefined ? error : new OperationError(explanation);
}

function explanationOf(error: Error, env: NodeJS.ProcessEnv): string | undefined {
  // A response of AWS with a role, an action and a resource is shorter. Another answer may have any length.
  const message = printable(error.message.replace(/^(.{400}).+/s, '$1…'));
  const known = advice[error.name];
  if (known !== undefined) {
    return `${known}${error.name === 'CredentialsProviderError' ? profileOf(env) : ''}`;
  }
  if (message.includes('Region is missing')) {
    return `No AWS region was found. Set AWS_REGION, or a region in the profile.${profileOf(env)}`;
  }
  if (isAccessDenied(error)) {
    return `The AWS credentials do not allow this: ${message}`;
  }
  const networkError = [error, error.cause].find(isUnreachable);
  if (networkError !== undefined) {
    return `AWS cannot be reached (${systemCode(networkError)}): ${message}`;
  }
  // How the SDK names an error without a text, and how it points developers to a response that it cannot parse.
  if (/^Unknown$|Deserialization error/.test(error.message)) {
    return unreadableResponse;
  }
  return '$metadata' in error ? `AWS answered with an error (${error.name}): ${message}` : undefined;
}

/** Says that a response is not one of AWS, and what to check. */
export const unreadableResponse =
  'AWS sent a response that cannot be read, so something else may have answered. Check AWS_ENDPOINT_URL and endpoint_url if they are set, and that no proxy is in between.';
