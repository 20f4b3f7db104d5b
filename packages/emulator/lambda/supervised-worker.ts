import type { Worker } from 'node:worker_threads';
import { createLineSplitter } from './lines.ts';
import { errorLine, runtimeExited, uncaught } from './runtime-errors.ts';
import type { ResponseMessage, WorkerError, WorkerMessage } from './worker-program.ts';

/** A message of a worker, or its exit. */
type WorkerReport = ResponseMessage | { readonly kind: 'exited'; readonly code: number };

/** A worker that is supervised until it ends. */
export interface SupervisedWorker {
  readonly worker: Worker;
  readonly ended: Promise<void>;
  /** Error for further invocations of an ended worker; undefined while the worker runs. */
  readonly failure: () => WorkerError | undefined;
  /** Ends the worker for a reason, and writes the reason to the function's log. */
  readonly fail: (reason: WorkerError) => void;
  /** Resolves with the next message of the worker, or with its exit. */
  readonly nextReport: () => Promise<WorkerReport>;
}

/**
 * Supervises a worker that has just started.
 *
 * @param onLine function that is called with each line of the function, and with each error that ends the
 * worker
 */
export function supervise(
  worker: Worker,
  onLine: (line: string) => void,
  now: () => number,
): SupervisedWorker {
  let failure: WorkerError | undefined;
  let receive: (report: WorkerReport) => void = () => undefined;
  const fail = (error: WorkerError) => {
    failure = error;
    onLine(errorLine(error, now()));
    receive({ kind: 'error', error });
    void worker.terminate();
  };
  const output = { stdout: createLineSplitter(onLine), stderr: createLineSplitter(onLine) };
  worker.on('message', (message: WorkerMessage) => {
    if (message.kind === 'output') {
      output[message.stream].add(message.text);
    } else {
      receive(message);
    }
  });
  worker.on('error', (error) => fail(uncaught(error)));
  const ended = new Promise<void>((resolve) =>
    worker.once('exit', (code) => {
      output.stdout.end();
      output.stderr.end();
      failure ??= runtimeExited;
      receive({ kind: 'exited', code });
      resolve();
    }),
  );
  const nextReport = () =>
    new Promise<WorkerReport>((resolve) => {
      receive = resolve;
    });
  return { worker, ended, failure: () => failure, fail, nextReport };
}
