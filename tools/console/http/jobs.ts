import { throwDamage } from '../../operator/deployment/items.ts';
import type { ActionResult } from '../../operator/description/action.ts';
import { path } from './addresses.ts';
import type { PageContext } from './environment.ts';
import { goTo } from './respond.tsx';
import type { Job } from './sessions.ts';

/** Starts work, and redirects to the page that shows its progress. */
export function startJob(
  c: PageContext,
  { title, back }: Pick<Job, 'title' | 'back'>,
  run: (report: (sentence: string) => void) => Promise<ActionResult>,
): Response {
  const { jobs } = c.var.session;
  const progress = 'The work has started.';
  const job: Job = { id: String(jobs.length + 1), title, back, progress, outcome: undefined };
  jobs.push(job);
  const work = run((sentence) => {
    job.progress = sentence;
  }).then(({ failure, ...done }) => {
    throwDamage(c.var.console.deployment.damage);
    return failure === undefined ? done : { error: failure };
  });
  void work.catch((error: unknown) => ({ error })).then((outcome) => Object.assign(job, { outcome }));
  return goTo(c, path('jobs', job.id));
}
