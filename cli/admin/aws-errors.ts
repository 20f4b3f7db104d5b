import { CommandError, messageOf, systemCode } from '../errors.ts';
import { printable } from '../text.ts';

/** What to say of the failures that an operator can do something about, by the error's name. */
const advice: Readonly<Record<string, string>> = {
  CredentialsProviderError:
    'No AWS credentials were found. Sign in (aws sso login), or set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
  ExpiredToken: 'The AWS credentials have expired. Sign in again.',
  ExpiredTokenException: 'The AWS credentials have expired. Sign in again.',
  InvalidClientTokenId: 'AWS does not know these credentials. Check AWS_PROFILE and AWS_ACCESS_KEY_ID.',
  UnrecognizedClientException:
    'AWS does not know these credentials. Check AWS_PROFILE and AWS_ACCESS_KEY_ID.',
  SignatureDoesNotMatch:
    'AWS refused the signature. Check AWS_SECRET_ACCESS_KEY and the clock of this machine.',
};

const refused = new Set(['AccessDenied', 'AccessDeniedException', 'Forbidden', 'UnauthorizedOperation']);

const unreachable = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ECONNRESET',
]);

/** Turns a failed AWS call into a sentence that says what to do; anything else is returned as it is. */
export function explainAwsError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof CommandError) return error;
  const known = advice[error.name];
  if (known !== undefined) return new CommandError(known);
  if (messageOf(error).includes('Region is missing')) {
    return new CommandError('No AWS region was found. Set AWS_REGION, or a region in the profile.');
  }
  if (refused.has(error.name)) {
    return new CommandError(`AWS does not allow this: ${printable(error.message)}`);
  }
  const code = systemCode(error) ?? systemCode(error.cause);
  if (code !== undefined && unreachable.has(code)) {
    return new CommandError(`AWS cannot be reached (${code}): ${printable(error.message)}`);
  }
  if ('$metadata' in error)
    return new CommandError(`AWS failed (${error.name}): ${printable(error.message)}`);
  return error;
}
