import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { retry } from '../../contract/internal/retry.ts';
import { routes, scopes, syncPathOf } from '../../contract/routes.ts';
import { uploadIdOf } from '../../storage/object-key.ts';
import { createClient } from '../operator/clients/client.ts';
import type { Deployment } from '../operator/deployment/deployment.ts';
import { createFile } from '../operator/files/file.ts';
import { openOperator } from './operator.ts';

/** The deployment under test, for a client and an operator. Tests replace some of its members. */
export type Service = Awaited<ReturnType<typeof openService>>;

/** Returns the id of a new organisation for the entities of a run. */
export function newOrganisationId(): string {
  return `verify-${randomBytes(6).toString('hex')}`;
}

/** Creates a client and a file in the organisation, and returns the deployment for the checks. */
export async function openService(deployment: Deployment, organisationId: string, isLocal = true) {
  const client = await createClient(deployment, {
    organisationId,
    name: 'npm run verify',
    scopes,
  });
  const file = { organisationId, name: 'verify.bin', syncEnabled: true };
  const { file_id: fileId } = await createFile(deployment, file);
  const baseUrl = deployment.outputs.BaseUrl;
  const token = () => fetchToken(baseUrl, client);
  return {
    deployment,
    isLocal,
    organisationId,
    fileId,
    token,
    issue: async () => issueUrl(baseUrl, fileId, await token()),
    put: putContent,
    /** Returns the status of a request with a token. */
    listVolumes: async (token: string) => {
      const headers = { authorization: `Bearer ${token}` };
      return (await fetchWithRetries(baseUrl + routes.volumes.path, { headers })).status;
    },
    /** Returns the status of a request for the API description. */
    askDescription: async () => {
      const response = await fetch(baseUrl + routes.openapi.path);
      await response.body?.cancel();
      return response.status;
    },
    operator: await openOperator(deployment, isLocal),
    sleep: (milliseconds: number): Promise<unknown> => sleep(milliseconds),
    /** Milliseconds since the epoch. */
    now: deployment.now,
  };
}

interface Credentials {
  readonly client_id: string;
  readonly client_secret: string;
}

async function fetchToken(baseUrl: string, { client_id, client_secret }: Credentials): Promise<string> {
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
  const response = await fetchWithRetries(baseUrl + routes.token.path, { method: 'POST', body });
  const { access_token: token } = (await response.json()) as { readonly access_token?: string };
  if (token === undefined) {
    throw new Error(`The token endpoint responded with ${response.status}.`);
  }
  return token;
}

async function issueUrl(baseUrl: string, fileId: string, token: string) {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetchWithRetries(baseUrl + syncPathOf(fileId), { method: 'POST', headers });
  if (response.status !== 200) {
    throw new Error(`The sync endpoint responded with ${response.status}.`);
  }
  const { data } = (await response.json()) as { readonly data: { readonly upload_url: string } };
  const url = new URL(data.upload_url);
  const key = /uploads\/[^/]+$/.exec(decodeURIComponent(url.pathname))?.[0] ?? '';
  const uploadId = uploadIdOf(key);
  if (uploadId === undefined) {
    throw new Error('The upload URL does not name an upload of this service.');
  }
  return { url, uploadId, key };
}

const throttledRetries = { firstWaitMilliseconds: 1_500, maxAttempts: 6, sleep, random: Math.random };

/** Retries after 429: active clients may use up the limit of a route. */
async function fetchWithRetries(...request: Parameters<typeof fetch>): Promise<Response> {
  const response = await retry(throttledRetries, async () => {
    const response = await fetch(...request);
    return response.status === 429 ? undefined : response;
  });
  if (response === undefined) {
    throw new Error(
      'The service is busy: it responded with 429 to six requests. Run the checks again later.',
    );
  }
  return response;
}

/**
 * Sends content to an upload URL. Returns the response of S3: the status with the error code (`412
 * PreconditionFailed`), the ETag, and CRC-64/NVME in base64.
 */
async function putContent(url: URL, body: string) {
  const response = await fetch(url, { method: 'PUT', body });
  const code = /<Code>(\w+)<\/Code>/.exec(await response.text())?.[1];
  return {
    status: code === undefined ? String(response.status) : `${response.status} ${code}`,
    etag: response.headers.get('etag')?.replaceAll('"', '') ?? '',
    checksum: response.headers.get('x-amz-checksum-crc64nvme') ?? undefined,
  };
}
