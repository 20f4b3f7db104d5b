/** What the local run and the worker of a function tell each other. Payloads travel as JSON, as in Lambda. */
export interface WorkerSettings {
  /** URL of the bundle's module. */
  readonly moduleUrl: string;
  /** Name of the module's export that handles events. */
  readonly exportName: string;
  readonly functionName: string;
  readonly functionArn: string;
  readonly memoryMegabytes: number;
}

export interface InvokeMessage {
  readonly requestId: string;
  readonly payload: string;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
}

export interface WorkerError {
  readonly errorType: string;
  readonly errorMessage: string;
}

export type WorkerMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed-to-start'; readonly error: WorkerError }
  | { readonly kind: 'result'; readonly payload: string }
  | { readonly kind: 'error'; readonly error: WorkerError };
