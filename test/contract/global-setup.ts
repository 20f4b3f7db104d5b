import { setTimeout as delay } from 'node:timers/promises';
import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import type { TestProject } from 'vitest/node';
import { localDeployment } from '../../tools/local/local-deployment.ts';
import { eventuallyConsistentVariable } from '../../tools/local/run.ts';
import { secretsManagerClient } from '../../tools/operator/deployment/aws-clients.ts';
import type { Deployment as AdminDeployment } from '../../tools/operator/deployment/deployment.ts';
import { stackDeployment } from '../../tools/operator/deployment/stack-deployment.ts';
import { readTarget, type Target } from '../support/contract-target.ts';
import type { Deployment, SigningKey } from '../support/deployment.ts';
import { startLocalRun } from '../support/local-run.ts';
import { withoutDetail } from '../support/plain-errors.ts';
import { recordProduced } from '../support/produced-secrets.ts';
import { provision } from '../support/provision.ts';
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
  const { now: _now, skew: _skew, ...operator } = admin;
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

/** An entry of the key set (docs/stored-items.md, Secrets), as far as this file reads it. */
interface Entry {
  readonly jwk: { readonly kid: string };
}

/**
 * Publishes a signing key. The deployment's key set contains its public part, and the suite its private part.
 * With it, the suite can sign tokens with exactly one fault. The deployment's own private keys cannot be
 * read, not even by an operator.
 */
async function publishKey(operator: AdminDeployment): Promise<SigningKey> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = await exportJWK(privateKey);
  const kid = await calculateJwkThumbprint(jwk);
  const { d: privatePart, ...publicPart } = jwk;
  recordProduced('private key', privatePart);
  const now = Date.now();
  const entry = {
    jwk: { ...publicPart, kid, alg: 'ES256', use: 'sig' },
    state: 'retired',
    since: new Date(now).toISOString(),
    until: new Date(now + 3_600_000).toISOString(),
  };
  await changeKeySet(operator, (keys) => [...keys, entry]);
  return { jwk, kid, alg: 'ES256' };
}

/** Removes it from the key set. */
function withdrawKey(operator: AdminDeployment, { kid }: SigningKey): Promise<void> {
  return changeKeySet(operator, (keys) => keys.filter(({ jwk }) => jwk.kid !== kid));
}

async function changeKeySet(
  operator: AdminDeployment,
  change: (keys: readonly Entry[]) => readonly Entry[],
): Promise<void> {
  const secrets = await secretsManagerClient(operator);
  const SecretId = operator.outputs.KeySetSecretArn;
  const read = () => withoutDetail(secrets.getSecretValue({ SecretId }));
  const { keys } = JSON.parse((await read()).SecretString ?? '') as { readonly keys: readonly Entry[] };
  const changed = JSON.stringify({ keys: change(keys) });
  const { VersionId } = await withoutDetail(secrets.putSecretValue({ SecretId, SecretString: changed }));
  // Secrets Manager is eventually consistent, and a function that reads the older set caches it for minutes.
  while ((await read()).VersionId !== VersionId) {
    await delay(100);
  }
}
