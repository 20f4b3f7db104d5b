/** Outcome of one invocation: what the handler returned, or the error that it threw, as Lambda reports it. */
export type InvokeResult =
  | { readonly ok: true; readonly payload: unknown }
  | { readonly ok: false; readonly error: { readonly errorType: string; readonly errorMessage: string } };

/** Invokes a function of the template by its function name (value of `Ref`) and waits for the outcome. */
export type InvokeFunction = (functionName: string, payload: unknown) => Promise<InvokeResult>;
