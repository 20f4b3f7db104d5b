import type { Deployment } from '../../../cli/deployment/deployment.ts';
import { addSecret } from '../../../cli/operations/client-secrets.ts';
import { type ClientWithSecret, createClient } from '../../../cli/operations/clients.ts';

/** A name with everything that must not act on a page. */
export const hostileName = '<b onclick=alert(1)>Name</b> "quoted" & \u202egnp.exe';

/** Creates a client as an operator does. */
export function seedClient(deployment: Deployment, name = 'Nightly export'): Promise<ClientWithSecret> {
  return createClient(deployment, { organisationId: 'acme', name, scopes: ['volume:read'] });
}

/** Creates a client with two secrets. */
export async function seedClientWithTwoSecrets(deployment: Deployment): Promise<ClientWithSecret> {
  const { client_id } = await seedClient(deployment, 'With two secrets');
  return addSecret(deployment, client_id);
}
