import type { PageContext } from './environment.ts';
import { goTo, path } from './respond.tsx';
import type { Job } from './sessions.ts';

/**
 * Starts work, and goes to the page that says how far it is.
 *
 * @param run returns what to say at the end. `report` says how far it is
 */
export function startJob(
  c: PageContext,
  { title, back }: Pick<Job, 'title' | 'back'>,
  run: (report: (progress: string) => void) => Promise<readonly string[]>,
): Response {
  const { jobs } = c.var.session;
  const job: Job = { id: String(jobs.length + 1), title, back, progress: '', outcome: undefined };
  jobs.push(job);
  const report = (progress: string) => {
    job.progress = progress;
  };
  run(report).then(
    (sentences) => {
      job.outcome = { sentences };
    },
    (error: unknown) => {
      job.outcome = { error };
    },
  );
  return goTo(c, path('jobs', job.id));
}
