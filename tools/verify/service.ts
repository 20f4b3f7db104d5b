import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { retry } from '../../contract/internal/retry.ts';
import { routes, scopes } from '../../contract/routes.ts';
import { uploadIdOf } from '../../storage/object-key.ts';
import { createApiClient } from '../local/demo/client.ts';
import { createClient } from '../operator/clients/client.ts';
import type { Deployment } from '../operator/deployment/deployment.ts';
import { createFile } from '../operator/files/file.ts';
import { openOperator } from './operator.ts';

/** The deployment under test, as a client and an operator use it. */
export interface Service {
  readonly deployment: Deployment;
  readonly isLocal: boolean;
  /** Organisation of the run, with one client and one file. */
  readonly organisationId: string;
  readonly fileId: string;
  /** Requests an access token. */
  readonly token: () => Promise<string>;
  /** Requests an upload URL for the file. */
  readonly requestUrl: () => Promise<ReturnType<typeof parseUploadUrl>>;
  readonly put: typeof putContent;
  /** Requests the volumes with a token. Returns the status. */
  readonly volumesStatus: (token: string) => Promise<number>;
  /** Requests the API description. Returns the status. */
  readonly descriptionStatus: () => Promise<number>;
  readonly operator: Awaited<ReturnType<typeof openOperator>>;
  readonly sleep: (milliseconds: number) => Promise<unknown>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Returns the id of a new organisation for the entities of a run. */
export function newOrganisationId(): string {
  return `verify-${randomBytes(6).toString('hex')}`;
}

/** Creates a client and a file in the organisation, and returns the deployment for the checks. */
export async function openService(
  deployment: Deployment,
  organisationId: string,
  isLocal = true,
): Promise<Service> {
  const client = await createClient(deployment, { organisationId, name: 'npm run verify', scopes });
  const { file_id: fileId } = await createFile(deployment, {
    organisationId,
    name: 'verify.bin',
    syncEnabled: true,
  });
  const baseUrl = deployment.outputs.BaseUrl;
  const api = createApiClient(baseUrl, fetchWithRetries);
  const token = async () => (await api.getToken(client.client_id, client.client_secret)).access_token;
  return {
    deployment,
    isLocal,
    organisationId,
    fileId,
    token,
    requestUrl: async () => parseUploadUrl(await api.getUploadUrl(await token(), fileId)),
    put: putContent,
    volumesStatus: async (token) => {
      const headers = { authorization: `Bearer ${token}` };
      return (await fetchWithRetries(baseUrl + routes.volumes.path, { headers })).status;
    },
    descriptionStatus: async () => {
      const response = await fetch(baseUrl + routes.openapi.path);
      await response.body?.cancel();
      return response.status;
    },
    operator: await openOperator(deployment),
    sleep,
    now: deployment.now,
  };
}

function parseUploadUrl(uploadUrl: string) {
  const url = new URL(uploadUrl);
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
