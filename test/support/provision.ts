import { randomBytes } from 'node:crypto';
import type { Scope } from '../../contract/routes.ts';
import { createClient, revokeClient } from '../../tools/operator/clients/client.ts';
import type { Deployment as AdminDeployment } from '../../tools/operator/deployment/deployment.ts';
import { createFile, setSyncEnabled } from '../../tools/operator/files/file.ts';
import type { ClientCredentials } from './deployment.ts';
import { fetchToken } from './fetch-token.ts';
import { recordProduced } from './produced-secrets.ts';

const both: readonly Scope[] = ['volume:read', 'sync:create'];

/**
 * Provisions clients and files as the admin command does, for organisations of the suite, so that a
 * deployment in use is not changed.
 */
export async function provision(admin: AdminDeployment, baseUrl: string) {
  const name = 'contract.bin';
  const organisationId = `contract-${randomBytes(6).toString('hex')}`;
  const [client, reader, revoked, elsewhere, ...files] = await Promise.all([
    makeClient(admin, organisationId, both),
    makeClient(admin, organisationId, ['volume:read']),
    makeRevokedClient(admin, organisationId, baseUrl),
    // RFC 5737: an address for documentation.
    makeClient(admin, organisationId, both, ['192.0.2.1/32']),
    createFile(admin, { organisationId, name, syncEnabled: true }),
    createFile(admin, { organisationId, name, syncEnabled: false }),
    createFile(admin, { organisationId: `${organisationId}-another`, name, syncEnabled: true }),
  ]);
  const [file = '', fileNotEnabled = '', fileOfAnother = ''] = files.map(({ file_id }) => file_id);
  return {
    fixtures: { organisationId, client, reader, revoked, elsewhere, file, fileNotEnabled, fileOfAnother },
    /** Revokes the clients and disables syncing of the files. */
    retire: async () => {
      await Promise.all([client, reader, elsewhere].map(({ clientId }) => revokeClient(admin, clientId)));
      await Promise.all([file, fileOfAnother].map((fileId) => setSyncEnabled(admin, fileId, false)));
    },
  };
}

async function makeClient(
  admin: AdminDeployment,
  organisationId: string,
  scopes: readonly Scope[],
  allowFrom?: readonly string[],
): Promise<ClientCredentials> {
  const made = await createClient(admin, { organisationId, name: 'Contract suite', scopes, allowFrom });
  recordProduced('client secret', made.client_secret);
  return { clientId: made.client_id, clientSecret: made.client_secret };
}

async function makeRevokedClient(admin: AdminDeployment, organisationId: string, baseUrl: string) {
  const client = await makeClient(admin, organisationId, both);
  const earlierToken = await fetchToken(baseUrl, client);
  await revokeClient(admin, client.clientId);
  return { ...client, earlierToken };
}
