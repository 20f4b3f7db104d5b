import { path } from './addresses.ts';
import type { PageContext } from './environment.ts';
import { goTo } from './respond.tsx';
import type { Job } from './sessions.ts';

/**
 * Starts work, and goes to the page that shows the progress.
 *
 * @param run returns what to say at the end. `report` shows the progress
 */
export function startJob(
  c: PageContext,
  { title, back }: Pick<Job, 'title' | 'back'>,
  run: (report: (progress: string) => void) => Promise<string>,
): Response {
  const { jobs } = c.var.session;
  const job: Job = { id: String(jobs.length + 1), title, back, progress: '', outcome: undefined };
  jobs.push(job);
  const report = (progress: string) => {
    job.progress = progress;
  };
  const work = run(report).then(
    (sentence) => ({ sentence }),
    (error: unknown) => ({ error }),
  );
  void work.then((outcome) => Object.assign(job, { outcome }));
  return goTo(c, path('jobs', job.id));
}
