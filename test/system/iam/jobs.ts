import { keyJobs } from './key-jobs.ts';
import { stackJobs } from './stack-jobs.ts';
import { uploadJobs } from './upload-jobs.ts';
import type { Job } from './work.ts';

/** Jobs that run without any function. */
export const jobsWithoutFunctions: Readonly<Record<string, Job>> = stackJobs;

/** Jobs that require the policies of the stack. The shortest jobs come first. */
export const jobs: Readonly<Record<string, Job>> = { ...stackJobs, ...keyJobs, ...uploadJobs };
