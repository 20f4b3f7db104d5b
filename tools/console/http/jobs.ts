import type { PageContext } from './environment.ts';
import { goTo, path } from './respond.tsx';
import type { Job } from './sessions.ts';

/** So many notes are kept. */
const maximumNotes = 20;

/**
 * Starts work, and goes to the page that says how far it is.
 *
 * @param run returns what to say at the end. `report` says how far it is, and `note` adds a sentence that stays
 */
export function startJob(
  c: PageContext,
  { title, back }: Pick<Job, 'title' | 'back'>,
  run: (report: (progress: string) => void, note: (sentence: string) => void) => Promise<readonly string[]>,
): Response {
  const { jobs } = c.var.session;
  const job: Job = { id: String(jobs.length + 1), title, back, progress: '', notes: [], outcome: undefined };
  jobs.push(job);
  const report = (progress: string) => {
    job.progress = progress;
  };
  const note = (sentence: string) => {
    if (job.notes.length < maximumNotes) {
      job.notes.push(sentence);
    }
  };
  run(report, note).then(
    (sentences) => {
      job.outcome = { sentences };
    },
    (error: unknown) => {
      job.outcome = { error };
    },
  );
  return goTo(c, path('jobs', job.id));
}
