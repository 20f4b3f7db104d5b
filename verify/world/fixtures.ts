import { randomBytes } from 'node:crypto';
import type { Deployment } from '../../cli/deployment/deployment.ts';
import { tryToCancel } from '../../cli/operations/cancel-upload.ts';
import { createClient, revokeClient } from '../../cli/operations/clients.ts';
import { createFile, setSyncEnabled } from '../../cli/operations/files.ts';
import type { ClientCredentials } from '../../test/support/deployment.ts';

/** A client and a file of this run, in an organisation of their own. */
export interface Fixtures {
  readonly organisationId: string;
  readonly client: ClientCredentials;
  readonly fileId: string;
}

/** What was made so far, and must be removed, also if the rest fails. */
export interface Made {
  organisationId?: string;
  clientId?: string;
  fileId?: string;
  readonly uploadIds: string[];
}

/** Makes a client and a file. Notes each in `made` as soon as it exists. */
export async function makeFixtures(deployment: Deployment, made: Made): Promise<Fixtures> {
  const organisationId = `verify-${randomBytes(6).toString('hex')}`;
  made.organisationId = organisationId;
  const scopes = ['volume:read', 'sync:create'] as const;
  const { client_id, client_secret } = await createClient(deployment, {
    organisationId,
    name: 'npm run verify',
    scopes,
  });
  made.clientId = client_id;
  const { file_id } = await createFile(deployment, { organisationId, name: 'verify.bin', syncEnabled: true });
  made.fileId = file_id;
  return { organisationId, client: { clientId: client_id, clientSecret: client_secret }, fileId: file_id };
}

/** How many uploads are cancelled at the same time. */
const parallel = 8;

/**
 * Ends what this run made: the client gets no token, the file no URL, and no URL takes bytes. What could not be ended is
 * returned, in words for a person.
 */
export async function removeFixtures(deployment: Deployment, made: Made): Promise<readonly string[]> {
  const left: string[] = [];
  const attempt = async (what: string, act: () => Promise<unknown>) => {
    await act().catch((error: unknown) =>
      left.push(`${what} (${error instanceof Error ? error.name : error})`),
    );
  };
  const { clientId, fileId, uploadIds } = made;
  if (clientId !== undefined) {
    await attempt(`client ${clientId}`, () => revokeClient(deployment, clientId));
  }
  if (fileId !== undefined) {
    await attempt(`file ${fileId}`, () => setSyncEnabled(deployment, fileId, false));
  }
  const waiting = [...uploadIds];
  const cancelNext = async () => {
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const uploadId = id;
      await attempt(`upload ${uploadId}`, () => tryToCancel(deployment, uploadId));
    }
  };
  await Promise.all(Array.from({ length: parallel }, cancelNext));
  return left;
}
