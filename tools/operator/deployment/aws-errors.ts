import { isUnreachable, messageOf, OperationError, systemCode } from '../errors.ts';
import { printable } from '../text.ts';

/** Messages for errors that an operator can fix, by the name of the error. */
const advice: Readonly<Record<string, string>> = {
  CredentialsProviderError:
    'No AWS credentials were found. Sign in (aws sso login), or set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY. If AWS_PROFILE is set, check that this profile exists.',
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

/** Returns true if the credentials are valid, but do not allow the call. */
export function isAccessDenied(error: unknown): boolean {
  return error instanceof Error && accessDeniedNames.has(error.name);
}

/** Converts the error of an AWS call to an {@link OperationError} with advice. Returns other errors unchanged. */
export function explainAwsError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof OperationError) {
    return error;
  }
  const explanation = explanationOf(error);
  return explanation === undefined ? error : new OperationError(explanation);
}

/** Returns the message of any thrown value, with advice if it is the error of an AWS call. */
export function awsMessageOf(error: unknown): string {
  return messageOf(explainAwsError(error));
}

function explanationOf(error: Error): string | undefined {
  // AWS error messages with a role, an action and a resource are shorter. Messages of other servers may have
  // any length.
  const message = printable(error.message.replace(/^(.{400}).+/s, '$1…'));
  const known = advice[error.name];
  if (known !== undefined) {
    return known;
  }
  // The SDK does not report a missing profile.
  if (message.includes('Region is missing')) {
    return 'No AWS region was found. Set AWS_REGION, or a region in the profile. If AWS_PROFILE is set, check that this profile exists.';
  }
  if (isAccessDenied(error)) {
    return `The AWS credentials do not allow this: ${message}`;
  }
  const networkError = [error, error.cause].find(isUnreachable);
  if (networkError !== undefined) {
    return `AWS cannot be reached (${systemCode(networkError)}): ${message}`;
  }
  // The SDK uses these texts for an error without a message and for a response that it cannot parse.
  if (/^Unknown$|Deserialization error/.test(error.message)) {
    return unreadableResponse;
  }
  return '$metadata' in error ? `AWS responded with an error (${error.name}): ${message}` : undefined;
}

/** Advice for a response that is not from AWS. */
export const unreadableResponse =
  'AWS sent a response that cannot be read, so another server may have responded. Check AWS_ENDPOINT_URL and endpoint_url if they are set, and that no proxy is in between.';
