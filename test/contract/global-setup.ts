import type { TestProject } from 'vitest/node';
import { eventuallyConsistentVariable } from '../../tools/local/run.ts';
import type { Deployment as AdminDeployment } from '../../tools/operator/deployment/deployment.ts';
import { localDeployment } from '../../tools/operator/deployment/local-deployment.ts';
import { stackDeployment } from '../../tools/operator/deployment/stack-deployment.ts';
import { readTarget, type Target } from '../support/contract-target.ts';
import type { Deployment } from '../support/deployment.ts';
import { startLocalRun } from '../support/local-run.ts';
import { provision } from '../support/provision.ts';
import { publishKey, withdrawKey } from '../support/published-key.ts';
import { startWatch } from '../support/watched-run.ts';

/** A prepared deployment, and the function that ends its use. */
interface Session {
  readonly deployment: Deployment;
  readonly end: () => Promise<void>;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Or the reason why the deployment is missing. */
    readonly deployment: Deployment | { readonly problem: string };
  }
}

/**
 * Prepares one deployment for all test files of the suite. An error here would end the tests of all projects.
 */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  try {
    const { deployment, end } = await openSession(readTarget());
    project.provide('deployment', deployment);
    return end;
  } catch (error) {
    project.provide('deployment', { problem: String(error) });
    return undefined;
  }
}

async function openSession(target: Target): Promise<Session> {
  switch (target.kind) {
    case 'own-run':
      return openOwnRun();
    case 'local':
      return openLocal(target.stateDirectory);
    case 'stack':
      return openAsAdmin(await stackDeployment(target.name), { complete: false });
    case 'given': {
      const { baseUrl, fixtures } = target;
      return { deployment: { baseUrl, complete: false, ...fixtures }, end: () => Promise.resolve() };
    }
  }
}

/**
 * Starts a local run for the suite, in which DynamoDB reads return data as old as AWS allows. At the end,
 * searches all data that the run wrote for the secrets of the suite.
 */
async function openOwnRun(): Promise<Session> {
  const watch = await startWatch();
  const run = await startLocalRun({
    stateDirectory: watch.stateDirectory,
    environment: { [eventuallyConsistentVariable]: 'true' },
  });
  try {
    const { deployment } = await openLocal(run.stateDirectory);
    return { deployment, end: () => watch.finish(run) };
  } catch (error) {
    await run.stop();
    throw error;
  }
}

async function openLocal(stateDirectory: string): Promise<Session> {
  const admin = await localDeployment(stateDirectory);
  const signingKey = await publishKey(admin);
  const { now: _clock, ...operator } = admin;
  const session = await openAsAdmin(admin, { complete: true, operator, signingKey });
  return {
    ...session,
    end: async () => {
      await session.end();
      await withdrawKey(admin, signingKey);
    },
  };
}

async function openAsAdmin(
  admin: AdminDeployment,
  known: Pick<Deployment, 'complete' | 'operator' | 'signingKey'>,
): Promise<Session> {
  const baseUrl = admin.outputs.BaseUrl;
  const { fixtures, retire } = await provision(admin, baseUrl);
  return { deployment: { baseUrl, ...known, ...fixtures }, end: retire };
}
