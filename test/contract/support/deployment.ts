import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { JWK } from 'jose';
import { inject } from 'vitest';
import type { ClientCredentials } from './target.ts';

/** What an operator of a local run may use. */
export interface Operator {
  /** Of the AWS endpoints. */
  readonly endpoint: string;
  readonly region: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  readonly keySetSecretArn: string;
  readonly bucketName: string;
  readonly filesTableName: string;
}

/** A private key that the suite has, and what a token's header says about it. */
export interface SigningKey {
  readonly jwk: JWK;
  readonly kid: string;
  readonly alg: string;
}

/** A client that was revoked, and a token that it got before. */
export interface RevokedClient extends ClientCredentials {
  readonly earlierToken?: string;
}

/** The deployment under test with everything provisioned on it. An absent member can't be tested there. */
export interface Deployment {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** Whether an absent member is a mistake rather than a reason to skip. */
  readonly complete: boolean;
  readonly organisationId?: string;
  readonly client: ClientCredentials;
  readonly reader?: ClientCredentials;
  readonly revoked?: RevokedClient;
  readonly file?: string;
  readonly fileNotEnabled?: string;
  readonly fileOfAnother?: string;
  readonly fileOfAnotherNotEnabled?: string;
  readonly operator?: Operator;
  /** Published in the key set of the deployment. */
  readonly signingKey?: SigningKey;
}

/** What the global setup leaves for the test files: the deployment, or why there is none. */
export type Outcome =
  | { readonly ready: true; readonly deployment: Deployment }
  | { readonly ready: false; readonly reason: string };

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder where {@link outcomeFile} appears. */
    readonly contractFolder: string;
  }
}

export const outcomeFile = 'outcome.json';

/**
 * The deployment under test. Waits for the global setup, which starts one for all test files and doesn't hold up
 * the rest of the tests meanwhile.
 *
 * @throws {Error} saying why there is no deployment
 */
export async function readDeployment(): Promise<Deployment> {
  const outcome = await waitForOutcome(join(inject('contractFolder'), outcomeFile));
  if (!outcome.ready) throw new Error(`There is no deployment to test: ${outcome.reason}`);
  return outcome.deployment;
}

async function waitForOutcome(path: string): Promise<Outcome> {
  for (;;) {
    const text = await readFile(path, 'utf8').catch(() => undefined);
    if (text !== undefined) return JSON.parse(text) as Outcome;
    await delay(100);
  }
}
