import { createHash } from 'node:crypto';
import { isMadeClientId, newIdentifier } from '../../../contract/identifiers.ts';
import type { ItemUpdate } from '../../../storage/attributes.ts';
import { updateAddresses, updateClientName, updateScopes } from '../../../storage/client.ts';
import { updateExpected, updateFileName, updateSyncEnabled } from '../../../storage/file.ts';
import { createClient, type KeepSecret, requireReachable } from '../clients/client.ts';
import { timeOf } from '../deployment/aws-clock.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { createFile, newPeriod, setExpected } from '../files/file.ts';
import type { State } from './state.ts';

/** Place of a client or a file. */
export interface Place {
  readonly noun: 'client' | 'file';
  readonly id: string;
  readonly organisation: string;
}

/** A client or a file of a state. */
export interface Wanted extends Place {
  /** Attributes that the state sets, by their stored names. */
  readonly to: object;
  /** Update of each of these attributes. */
  readonly updates: Readonly<Record<string, ItemUpdate>>;
  /** Creates the client or file. */
  readonly create: (keepSecret: KeepSecret) => Promise<unknown>;
}

/**
 * Returns the clients and files of a state. Add another attribute of a state here.
 *
 * @throws {OperationError} when no request can come from a range
 */
export function wantedOf(deployment: Deployment, { organisations }: State): readonly Wanted[] {
  return Object.entries(organisations).flatMap(([organisation, { clients, files }]) => [
    ...Object.entries(clients).map(([key, to]): Wanted => {
      const { name, scopes, allow_from: allowFrom } = to;
      requireReachable(deployment, allowFrom);
      const id = clientIdOf(organisation, key);
      const client = { organisationId: organisation, clientId: id, name, scopes, allowFrom };
      return {
        noun: 'client',
        id,
        organisation,
        to,
        updates: {
          name: updateClientName(id, name),
          scopes: updateScopes(id, scopes),
          allow_from: updateAddresses(id, allowFrom),
        } satisfies Record<keyof typeof to, ItemUpdate>,
        create: (keepSecret) => createClient(deployment, { ...client, keepSecret }),
      };
    }),
    ...Object.entries(files).map(([id, to]): Wanted => {
      const { name, sync_enabled: syncEnabled, expected } = to;
      const file = { organisationId: organisation, fileId: id, name, syncEnabled };
      return {
        noun: 'file',
        id,
        organisation,
        to,
        updates: {
          name: updateFileName(id, name),
          sync_enabled: updateSyncEnabled(id, syncEnabled, syncEnabled ? newPeriod(deployment, to) : {}),
          expected: updateExpected(id, expected, timeOf(deployment)),
        } satisfies Record<keyof typeof to, ItemUpdate>,
        create: async () => {
          await createFile(deployment, file);
          if (expected !== undefined) {
            await setExpected(deployment, id, expected);
          }
        },
      };
    }),
  ]);
}

/**
 * Returns the id of a client of a state: its key, if that is a client ID. Otherwise, the id is a digest of the
 * organisation and the key, so a repeat finds the same client.
 */
export function clientIdOf(organisation: string, key: string): string {
  const digest = createHash('sha256').update(`${organisation}/${key}`).digest();
  return isMadeClientId(key) ? key : newIdentifier('client', (size) => digest.subarray(0, size));
}
