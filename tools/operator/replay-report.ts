import { OperationError } from './errors.ts';
import type { ReplayReport } from './replay-uploads.ts';
import { counted } from './text.ts';

// What is said of a replay.

export function describeReplay({ replayed, failed }: ReplayReport): string {
  return `${counted(replayed, 'event')} replayed, ${failed} failed.`;
}

/** Says that the queue holds more, if it does. */
export function describeLeft({ left }: ReplayReport): readonly string[] {
  return left === undefined
    ? []
    : [
        `The queue counts ${counted(left, 'more event')} that it did not give out. Another replay may hold ` +
          'them, or the count is late. Replay again in two minutes.',
      ];
}

/** @throws {OperationError} when events stayed in the queue */
export function requireAllReplayed({ failed, left }: ReplayReport): void {
  if (failed > 0) {
    throw new OperationError(
      'failed',
      `${counted(failed, 'event')} could not be recorded and stayed in the queue. ` +
        'Read the log of the record-upload function, fix the cause and replay again.',
      { do: 'replay uploads' },
    );
  }
  if (left !== undefined) {
    throw new OperationError('failed', 'The queue is not empty. Replay again.', { do: 'replay uploads' });
  }
}
