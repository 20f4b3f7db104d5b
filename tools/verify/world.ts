import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { uploadIdOf } from '../../storage/object-key.ts';
import { createClient } from '../operator/clients.ts';
import type { Deployment } from '../operator/deployment/deployment.ts';
import { createFile } from '../operator/files.ts';
import { exchange } from './http.ts';
import { observeRotation } from './observe-rotation.ts';
import { observeUploads } from './observe-uploads.ts';
import { openOperator } from './operator.ts';

/** How the deployment is reached: over HTTP as a client, and as an operator. */
export type Reach = Awaited<ReturnType<typeof reach>>;

/** The deployment that is verified, as the checks see it. Tests replace its members by others. */
export type World = Awaited<ReturnType<typeof openWorld>>;

/** An organisation for what a run makes. */
export function newOrganisationId(): string {
  return `verify-${randomBytes(6).toString('hex')}`;
}

/** Makes a client and a file in the organisation, and gives the deployment to the checks. */
export async function openWorld(deployment: Deployment, organisationId: string, stackName?: string) {
  const reached = await reach(deployment, organisationId, stackName);
  return {
    ...reached,
    /** Several uploads, and what became of their events. */
    uploads: once(() => observeUploads(reached)),
    /** A rotation, and the labels before and after. */
    rotation: once(() => observeRotation(reached)),
  };
}

async function reach(deployment: Deployment, organisationId: string, stackName: string | undefined) {
  const client = await createClient(deployment, {
    organisationId,
    name: 'npm run verify',
    scopes: ['volume:read', 'sync:create'],
  });
  const file = { organisationId, name: 'verify.bin', syncEnabled: true };
  const { file_id: fileId } = await createFile(deployment, file);
  const baseUrl = deployment.outputs.BaseUrl;
  return {
    baseUrl,
    fileId,
    http: exchange,
    token: () => fetchToken(baseUrl, client),
    issue: () => fetchToken(baseUrl, client).then((token) => issueUrl(baseUrl, fileId, token)),
    operator: await openOperator(deployment, stackName),
    sleep,
    /** Milliseconds since the epoch. */
    now: Date.now,
  };
}

interface Credentials {
  readonly client_id: string;
  readonly client_secret: string;
}

async function fetchToken(baseUrl: string, { client_id, client_secret }: Credentials): Promise<string> {
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
  const answer = await fetch(`${baseUrl}/oauth/token`, { method: 'POST', body });
  const { access_token: token } = (await answer.json()) as { readonly access_token?: string };
  if (token === undefined) {
    throw new Error(`The token endpoint answered ${answer.status}.`);
  }
  return token;
}

async function issueUrl(baseUrl: string, fileId: string, token: string) {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${baseUrl}/v0/files/${fileId}/sync`, { method: 'POST', headers });
  if (answer.status !== 200) {
    throw new Error(`The sync endpoint answered ${answer.status}.`);
  }
  const { data } = (await answer.json()) as { readonly data: { readonly upload_url: string } };
  const url = new URL(data.upload_url);
  const key = /uploads\/[^/]+$/.exec(decodeURIComponent(url.pathname))?.[0] ?? '';
  const uploadId = uploadIdOf(key);
  if (uploadId === undefined) {
    throw new Error('The upload URL does not name an upload of this service.');
  }
  return { url, uploadId, key };
}

/** Runs `work` at the first call, and gives its outcome to every later one. */
function once<Value>(work: () => Promise<Value>): () => Promise<Value> {
  let outcome: Promise<Value> | undefined;
  return () => {
    outcome ??= work();
    return outcome;
  };
}
