import { scopes } from '../../../contract/routes.ts';
import {
  type ClientWithSecret,
  clientSource,
  createClient,
  rotateSecret,
} from '../../operator/clients/client.ts';
import type { Deployment } from '../../operator/deployment/deployment.ts';
import { createFile, type File, fileSource } from '../../operator/files/file.ts';
import { allOf, readAll } from '../../operator/lists/read.ts';

const organisationId = 'demo';
const clientName = 'Demonstration';
const fileName = 'sample.bin';

/**
 * Returns the client of the demonstration, which the first start creates. Only the digest of its secret is
 * stored, so each later start creates a new secret, and invalidates the old one immediately. One secret is
 * valid at any time.
 */
export async function demoClient(deployment: Deployment): Promise<ClientWithSecret> {
  const source = clientSource(deployment, {
    organisation: organisationId,
    status: 'active',
    name: clientName,
  });
  const earlier = (await allOf(readAll(deployment, source))).find(
    (client) => client.name === clientName && scopes.every((scope) => client.scopes.includes(scope)),
  );
  return earlier === undefined
    ? createClient(deployment, { organisationId, name: clientName, scopes })
    : rotateSecret(deployment, earlier.client_id, 0);
}

/** Returns the file of the demonstration, which the first start creates. */
export async function demoFile(deployment: Deployment): Promise<File> {
  const source = fileSource({ organisation: organisationId, status: 'enabled', name: fileName });
  const earlier = (await allOf(readAll(deployment, source))).find((file) => file.name === fileName);
  const created = { organisationId, name: fileName, syncEnabled: true };
  return earlier ?? createFile(deployment, created);
}
