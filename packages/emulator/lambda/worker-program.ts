import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { transformSync } from 'esbuild';
import type { InvokeError } from './invoke.ts';

/** Start data of a function's worker. */
export interface WorkerSettings {
  /** URL of the bundle's module. */
  readonly moduleUrl: string;
  /** Name of the module's export that handles events. */
  readonly exportName: string;
  readonly functionName: string;
  readonly functionArn: string;
  readonly memoryMegabytes: number;
  /**
   * Milliseconds by which the emulator's clock is ahead of the machine: one number, shared by the emulator.
   */
  readonly ahead: Float64Array | undefined;
}

/** One invocation, for the worker. Payloads are sent as JSON, as in Lambda. */
export interface InvokeMessage {
  readonly requestId: string;
  readonly payload: string;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
}

/** Messages from the worker to the emulator. */
export type WorkerMessage = OutputMessage | ResponseMessage;

/** Text that the function wrote, possibly only part of a line. */
interface OutputMessage {
  readonly kind: 'output';
  readonly stream: 'stdout' | 'stderr';
  readonly text: string;
}

/** The worker sends one such message for its start, and one for each invocation. */
export type ResponseMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed-to-start'; readonly error: WorkerError }
  | { readonly kind: 'result'; readonly payload: string }
  | { readonly kind: 'error'; readonly error: WorkerError };

export type WorkerError = InvokeError;

/**
 * Writes the worker's program as JavaScript. Like Lambda, workers then need no TypeScript loader.
 *
 * @returns absolute path of the program, as a worker requires
 */
export function writeWorkerProgram(directory: string): string {
  const source = readFileSync(new URL('./worker.ts', import.meta.url), 'utf8');
  const { code } = transformSync(source, { loader: 'ts', format: 'esm', target: 'node20' });
  const path = resolve(directory, 'function-worker.mjs');
  writeFileSync(path, code);
  return path;
}
