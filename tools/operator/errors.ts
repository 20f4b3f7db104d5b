import { getSystemErrorMap } from 'node:util';
import type { NextStep } from './description/next-step.ts';

/** Failure of an operation. The message contains the problem and its cause, for people. */
export class OperationError extends Error {
  readonly kind: 'failed' | 'invalid' | 'not found' = 'failed';
  readonly next: readonly NextStep[];

  constructor(message: string, ...next: readonly NextStep[]) {
    super(message);
    this.name = 'OperationError';
    this.next = next;
  }
}

/** Rejection of an invalid value, before anything was attempted. */
export class InvalidInput extends OperationError {
  override readonly kind = 'invalid';
}

/** Error for an entity that does not exist. */
export class NotFound extends OperationError {
  override readonly kind = 'not found';
}

/** Returns the message of any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns the `code` of a system or network error (`ENOENT`, `ECONNRESET`), else undefined. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) {
    return undefined;
  }
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Descriptions of system and network error codes, by code. */
const descriptions = new Map(getSystemErrorMap().values());

/** Returns the cause of an error, as a description and the code, without a full stop. */
export function reasonOf(thrown: unknown): string {
  // fetch stores the reason in `cause`: https://fetch.spec.whatwg.org/#concept-network-error
  const error = thrown instanceof Error && thrown.cause !== undefined ? thrown.cause : thrown;
  const code = systemCode(error);
  if (code === undefined) {
    return messageOf(error);
  }
  const description = descriptions.get(code);
  return description === undefined ? messageOf(error) || code : `${description} (${code})`;
}

const unreachableCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
]);

/** Returns true for a broken connection, or for a host name that was not found, but not for a bad certificate. */
export function isUnreachable(error: unknown): boolean {
  return unreachableCodes.has(systemCode(error) ?? '');
}
