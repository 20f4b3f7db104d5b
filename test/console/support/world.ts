import { revokeClient } from '../../../cli/operations/clients.ts';
import { hostileName, seedClient, seedClientWithTwoSecrets } from './seed.ts';
import type { ConsoleWithAws } from './serve.ts';

/** Ids of what {@link seedWorld} makes. */
export interface World {
  readonly clientId: string;
  readonly clientWithTwoSecrets: string;
  readonly secretId: string;
  readonly revokedClient: string;
}

/** Makes something of every kind, so that every page has something to show. */
export async function seedWorld({ aws: { deployment } }: ConsoleWithAws): Promise<World> {
  const { client_id, secret_id } = await seedClient(deployment);
  const two = await seedClientWithTwoSecrets(deployment);
  const revoked = await seedClient(deployment, hostileName);
  await revokeClient(deployment, revoked.client_id);
  return {
    clientId: client_id,
    clientWithTwoSecrets: two.client_id,
    secretId: secret_id,
    revokedClient: revoked.client_id,
  };
}

/**
 * Every page, with a name for its picture. Tests check each with axe, light and dark, and at 320 pixels; the screenshots
 * show each.
 */
export function pagesOf(world: World): readonly { readonly name: string; readonly path: string }[] {
  const client = `/clients/${world.clientId}`;
  return [
    { name: 'clients', path: '/clients' },
    { name: 'clients-none-match', path: '/clients?q=nothing' },
    { name: 'client-new', path: '/clients/new' },
    { name: 'client', path: client },
    { name: 'client-revoked', path: `/clients/${world.revokedClient}` },
    { name: 'client-name', path: `${client}/name` },
    { name: 'client-scopes', path: `${client}/scopes` },
    { name: 'client-revoke', path: `${client}/revoke` },
    { name: 'client-delete', path: `${client}/delete` },
    { name: 'client-secrets', path: `${client}/secrets` },
    { name: 'client-secrets-two', path: `/clients/${world.clientWithTwoSecrets}/secrets` },
    { name: 'client-secret-rotate', path: `${client}/secrets/rotate` },
    { name: 'client-secret-remove', path: `${client}/secrets/${world.secretId}/remove` },
    { name: 'search', path: '/search?q=nothing' },
    { name: 'not-found', path: '/clients/none' },
    { name: 'components', path: '/components' },
  ];
}
