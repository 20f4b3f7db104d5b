import { formatSeconds } from '../../operator/text.ts';
import type { WorkOptions } from '../../operator/uploads/outstanding.ts';
import { note } from '../../terminal/output.ts';
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
