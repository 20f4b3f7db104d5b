import { scopes } from '../../../contract/routes.ts';
import {
  type ClientWithSecret,
  clientSource,
  createClient,
  rotateSecret,
} from '../../operator/clients/client.ts';
import type { Deployment } from '../../operator/deployment/deployment.ts';
import { createFile, type File, fileSource } from '../../operator/files/file.ts';
import { readAll } from '../../operator/lists/read.ts';

const organisationId = 'demo';
const clientName = 'Demonstration';
const fileName = 'sample.bin';

/**
 * Returns the client of the demonstration, which the first start creates. Only the digest of its secret is
 * stored, so each later start creates a new secret, and invalidates the old one immediately. One secret is
 * valid at any time.
 */
export async function demoClient(deployment: Deployment): Promise<ClientWithSecret> {
  const source = clientSource({ organisation: organisationId, status: 'active', name: clientName });
  for await (const clients of readAll(deployment, source)) {
    const earlier = clients.find(
      (client) => client.name === clientName && scopes.every((scope) => client.scopes.includes(scope)),
    );
    if (earlier !== undefined) {
      return rotateSecret(deployment, earlier.client_id, 0);
    }
  }
  return createClient(deployment, { organisationId, name: clientName, scopes, recreateOrganisation: true });
}

/** Returns the file of the demonstration, which the first start creates. */
export async function demoFile(deployment: Deployment): Promise<File> {
  const source = fileSource({ organisation: organisationId, status: 'enabled', name: fileName });
  for await (const files of readAll(deployment, source)) {
    const earlier = files.find((file) => file.name === fileName);
    if (earlier !== undefined) {
      return earlier;
    }
  }
  return createFile(deployment, {
    organisationId,
    name: fileName,
    syncEnabled: true,
    recreateOrganisation: true,
  });
}
