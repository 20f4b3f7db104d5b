import { keyJobs } from './key-jobs.ts';
import { stackJobs } from './stack-jobs.ts';
import { uploadJobs } from './upload-jobs.ts';
import type { Job } from './work.ts';

/** Jobs that no function takes part in. */
export const jobsWithoutFunctions: Readonly<Record<string, Job>> = stackJobs;

/** The jobs that need the policies of the stack. The shortest jobs come first. */
export const jobs: Readonly<Record<string, Job>> = { ...stackJobs, ...keyJobs, ...uploadJobs };
