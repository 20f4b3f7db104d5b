/** Work that takes longer than a page may. It goes on when the browser is closed. */
export interface Job {
  readonly id: string;
  /** What is done: `Deleting the client "x"`. */
  readonly title: string;
  /** Where to go when it has ended. */
  readonly back: string;
  /** How far it is. */
  progress: string;
  state: 'running' | 'done' | 'failed';
  /** What to know of how it went, such as what failed. */
  readonly notes: string[];
  /** What came of it: the sentences of a success, or the error. */
  outcome: { readonly sentences: readonly string[] } | { readonly error: unknown } | undefined;
}

/** What work reports while it goes on. */
export type Report = (progress: string) => void;

/** Adds a sentence that stays, however the work ends. */
export type Note = (sentence: string) => void;

/** So many notes are kept. */
const maximumNotes = 20;

/** The work of one session. */
export interface Jobs {
  /**
   * Starts work.
   *
   * @param run returns what to say at the end
   */
  readonly start: (
    job: Pick<Job, 'title' | 'back'>,
    run: (report: Report, note: Note) => Promise<readonly string[]>,
  ) => Job;
  readonly find: (id: string) => Job | undefined;
}

export function createJobs(newId: () => string): Jobs {
  const jobs = new Map<string, Job>();
  return {
    find: (id) => jobs.get(id),
    start: ({ title, back }, run) => {
      const job: Job = {
        id: newId(),
        title,
        back,
        progress: '',
        notes: [],
        state: 'running',
        outcome: undefined,
      };
      jobs.set(job.id, job);
      const report: Report = (progress) => {
        job.progress = progress;
      };
      const note: Note = (sentence) => {
        if (job.notes.length < maximumNotes) {
          job.notes.push(sentence);
        }
      };
      run(report, note).then(
        (sentences) => {
          job.state = 'done';
          job.outcome = { sentences };
        },
        (error: unknown) => {
          job.state = 'failed';
          job.outcome = { error };
        },
      );
      return job;
    },
  };
}
