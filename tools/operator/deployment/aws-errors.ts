import { isUnreachable, messageOf, OperationError, systemCode } from '../errors.ts';
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

/** Whether the credentials are good, but do not allow the call. */
export function isAccessDenied(error: unknown): boolean {
  return error instanceof Error && accessDeniedNames.has(error.name);
}

/** The SDK reports an answer that it cannot parse with the message of the parser, which helps nobody. */
function notAws(): OperationError {
  return new OperationError(
    'failed',
    `AWS sent an answer that cannot be read, so something else may have answered. Check AWS_ENDPOINT_URL and endpoint_url if they are set, and that no proxy is in between.`,
  );
}

/** The SDK does not say that a profile does not exist. */
function profileOf({ AWS_PROFILE }: Readonly<Record<string, string | undefined>>): string {
  return AWS_PROFILE ? ` AWS_PROFILE is ${quoted(AWS_PROFILE)}: check that this profile exists.` : '';
}

/**
 * Turns the error of an AWS call into a {@link OperationError} that says what to do. Returns other errors unchanged.
 *
 * @param env tells which profile was chosen
 */
export function explainAwsError(
  error: unknown,
  env: Readonly<Record<string, string | undefined>> = {},
): unknown {
  if (!(error instanceof Error) || error instanceof OperationError) {
    return error;
  }
  const isRegionMissing = messageOf(error).includes('Region is missing');
  const isMissing = error.name === 'CredentialsProviderError';
  const known = advice[error.name];
  if (known !== undefined) {
    return new OperationError('failed', `${known}${isMissing ? profileOf(env) : ''}`);
  }
  if (isRegionMissing) {
    return new OperationError(
      'failed',
      `No AWS region was found. Set AWS_REGION, or a region in the profile.${profileOf(env)}`,
    );
  }
  if (isAccessDenied(error)) {
    return new OperationError('failed', `The AWS credentials do not allow this: ${printable(error.message)}`);
  }
  const networkError = [error, error.cause].find(isUnreachable);
  if (networkError !== undefined) {
    return new OperationError(
      'failed',
      `AWS cannot be reached (${systemCode(networkError)}): ${printable(error.message)}`,
    );
  }
  if (error instanceof SyntaxError && '$response' in error) {
    return notAws();
  }
  if ('$metadata' in error) {
    return new OperationError(
      'failed',
      `AWS answered with an error (${error.name}): ${printable(error.message)}`,
    );
  }
  return error;
}
