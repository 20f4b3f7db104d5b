/** Outcome of one invocation: the return value of the handler, or its error as Lambda reports it. */
export type InvokeResult =
  | { readonly ok: true; readonly payload: unknown }
  | { readonly ok: false; readonly error: InvokeError };

export interface InvokeError {
  readonly errorType: string;
  readonly errorMessage: string;
  /** Stack trace of the error, line by line. */
  readonly trace?: readonly string[];
}

/**
 * Invokes a function of the template by its function name (value of `Ref`) and waits for the outcome.
 *
 * @throws {Error} when there is no such function
 */
export type InvokeFunction = (functionName: string, payload: unknown) => Promise<InvokeResult>;

/** Largest payload of a synchronous invocation, in bytes (Lambda, "Quotas": 6 MB). */
export const maxInvocationBytes = 6 * 1024 * 1024;

/** Lambda's response to a larger payload. */
export const tooLargePayload = {
  ok: false,
  error: {
    errorType: 'RequestEntityTooLargeException',
    errorMessage: `Request must be smaller than ${maxInvocationBytes} bytes for the InvokeFunction operation`,
  },
} as const satisfies InvokeResult;

/** Largest response of a function, in bytes (recorded in lambda_/test_lambda.py::test_lambda_too_large_response). */
export const maxResponseBytes = 6_291_556;

/** Lambda's response in place of a larger response. */
export const tooLargeResponse = {
  ok: false,
  error: {
    errorType: 'Function.ResponseSizeTooLarge',
    errorMessage: `Response payload size exceeded maximum allowed payload size (${maxResponseBytes} bytes).`,
  },
} as const satisfies InvokeResult;
