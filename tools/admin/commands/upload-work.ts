import type { FailedUpload, WorkOptions } from '../../operator/close-uploads.ts';
import { formatSeconds, printable } from '../../operator/text.ts';
import { note, type Output } from '../../terminal/output.ts';
import { createProgress } from '../../terminal/progress.ts';
import type { Session } from './session.ts';

/**
 * Shows how far work on many uploads is. Call `finish` at its end, after a failure too.
 *
 * @param text the line for a number of uploads
 */
export function workOn(
  { context, output }: Session,
  text: (done: number) => string,
): WorkOptions & { readonly finish: () => void } {
  const { update, finish } = createProgress(output.stderr, text);
  return {
    progress: update,
    finish,
    waiting: (milliseconds) => {
      finish();
      const seconds = formatSeconds(milliseconds / 1000);
      note(output, `Waiting ${seconds} for sync requests that began before. Ctrl-C stops this.`);
    },
    sleep: context.sleep,
    now: Date.now,
  };
}

const maximumNoted = 20;

/** Says which uploads failed, and why. */
export function noteFailed(output: Output, failed: readonly FailedUpload[]): void {
  for (const { upload_id, reason } of failed.slice(0, maximumNoted)) {
    note(output, `${upload_id} failed: ${printable(reason)}`);
  }
  if (failed.length > maximumNoted) {
    note(output, `${failed.length - maximumNoted} more are not listed.`);
  }
}
