import { randomBytes } from 'node:crypto';
import type { ClientCredentials } from '../../../test/support/deployment.ts';
import { createClient } from '../../operator/clients.ts';
import type { WorkOptions } from '../../operator/close-uploads.ts';
import { deleteOrganisation } from '../../operator/deletion.ts';
import { explainAwsError } from '../../operator/deployment/aws-errors.ts';
import type { Deployment } from '../../operator/deployment/deployment.ts';
import { messageOf } from '../../operator/errors.ts';
import { createFile } from '../../operator/files.ts';
import { counted, printable } from '../../operator/text.ts';

/** A client and a file of this run, in an organisation of their own. */
export interface Fixtures {
  readonly organisationId: string;
  readonly client: ClientCredentials;
  readonly fileId: string;
}

/** What must be removed, also if the rest fails. */
export interface Made {
  /** Everything is made in this organisation. */
  organisationId?: string;
}

/** Makes a client and a file. Notes their organisation in `made` before it has anything. */
export async function makeFixtures(deployment: Deployment, made: Made): Promise<Fixtures> {
  const organisationId = `verify-${randomBytes(6).toString('hex')}`;
  made.organisationId = organisationId;
  const scopes = ['volume:read', 'sync:create'] as const;
  const { client_id, client_secret } = await createClient(deployment, {
    organisationId,
    name: 'npm run verify',
    scopes,
  });
  const { file_id } = await createFile(deployment, { organisationId, name: 'verify.bin', syncEnabled: true });
  return { organisationId, client: { clientId: client_id, clientSecret: client_secret }, fileId: file_id };
}

/**
 * Deletes what this run made: the client, the file, their content and their records go after the retention time of the
 * deployment. What could not be deleted is returned, in words for a person.
 */
export async function removeFixtures(
  deployment: Deployment,
  { organisationId }: Made,
  options: Pick<WorkOptions, 'sleep' | 'waiting'>,
): Promise<readonly string[]> {
  if (organisationId === undefined) {
    return [];
  }
  const left = (why: string) => [
    `What is left of organisation ${organisationId} (${printable(why)}). Delete it with: organisation delete ${organisationId}`,
  ];
  try {
    const { failed, made } = await deleteOrganisation(deployment, organisationId, {
      ...options,
      progress: () => undefined,
      now: Date.now,
    });
    const [first] = failed;
    if (first !== undefined) {
      return left(`${counted(failed.length, 'upload')} failed, the first because ${first.reason}`);
    }
    return made === 0 ? [] : left(`${counted(made, 'client or file')} was made meanwhile`);
  } catch (error) {
    return left(messageOf(explainAwsError(error)));
  }
}
