import type { CountOptions } from '../../../cli/operations/deletion/plan.ts';
import type { DeletionOptions } from '../../../cli/operations/deletion/retention.ts';
import { counted, formatSeconds } from '../../../cli/text.ts';
import type { PageContext } from '../../http/environment.ts';
import type { Report } from '../../http/jobs.ts';

/** A page that asks for a confirmation must not wait until a million uploads are counted. */
const maximumCountMilliseconds = 2000;

/** How a page counts what a deletion would remove. */
export function countOptions(c: PageContext): CountOptions {
  const { now } = c.var.console;
  const endsAt = now() + maximumCountMilliseconds;
  return { now: now(), progress: () => undefined, isTimeUp: () => now() > endsAt };
}

/** How a deletion tells how far it is. */
export function deletionOptions(c: PageContext, report: Report): DeletionOptions {
  const { now, sleep } = c.var.console;
  return {
    progress: (done) => report(`${counted(done, 'upload')} deleted so far.`),
    waiting: (milliseconds) =>
      report(`Waiting ${formatSeconds(milliseconds / 1000)} for sync requests that began before.`),
    sleep,
    now,
  };
}
