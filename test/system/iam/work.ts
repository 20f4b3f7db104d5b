import type { Resource } from 'cloud-assembly-emulator';
import type { ApiUser } from '../../support/api-user.ts';
import type { RunningStack } from '../../support/running-stack.ts';

/** The running stack, under the policies of these resources. */
export interface Work {
  readonly stack: RunningStack;
  readonly resources: readonly Resource[];
  /** Length of the AWS endpoints' log when these policies took effect. */
  readonly since: number;
  readonly user: ApiUser;
}

/** One task of the deployed service. Rejects if the task fails. */
export type Job = (work: Work) => Promise<void>;

/** Fails a job unless the condition is true. */
export function require(condition: boolean, problem: string): void {
  if (!condition) {
    throw new Error(problem);
  }
}

/** Reads a response to its end, and fails a job unless the status is 200. */
export async function requireOk(pending: Promise<Response>, problem: string): Promise<void> {
  const response = await pending;
  await response.arrayBuffer();
  require(response.status === 200, `${problem}: ${response.status}`);
}
