import type { Resource } from 'cloud-assembly-emulator';
import { type ApiUser, createApiUser } from '../../support/api-user.ts';
import type { RunningStack } from '../../support/running-stack.ts';

/** The stack at work, under the policies of these resources. */
export interface Work {
  readonly stack: RunningStack;
  readonly resources: readonly Resource[];
  /** How long the log of the AWS endpoints was when these policies came into force. */
  readonly since: number;
  readonly user: ApiUser;
}

/** One thing that the deployed service does. Rejects when it cannot. */
export type Job = (work: Work) => Promise<void>;

export async function prepareWork(stack: RunningStack): Promise<Work> {
  const user = await createApiUser(stack);
  return { stack, resources: stack.resources, since: stack.awsLog.length, user };
}

/** Fails a job unless the condition holds. */
export function require(condition: boolean, problem: string): void {
  if (!condition) {
    throw new Error(problem);
  }
}

/** Reads a response to its end, and fails a job unless it is a 200. */
export async function requireOk(pending: Promise<Response>, problem: string): Promise<void> {
  const response = await pending;
  await response.arrayBuffer();
  require(response.status === 200, `${problem}: ${response.status}`);
}
