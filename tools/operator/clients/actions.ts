import { scopes } from '../../../contract/routes.ts';
import { updateClientName, updateScopes, updateToActive } from '../../../storage/client.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { type Change, changeItem } from '../deployment/items.ts';
import { type ActionResult, entityAction, entityView, generalAction } from '../description/action.ts';
import {
  addressesQuestion,
  endsQuestion,
  nameQuestion,
  newAddressesQuestion,
  organisationQuestion,
  scopesQuestion,
  textQuestion,
} from '../description/question.ts';
import { whileSuspended } from '../organisations/suspend.ts';
import { anyAddress, parseDuration } from '../parse-input.ts';
import { quoted } from '../text.ts';
import {
  addSecret,
  type Client,
  type ClientWithSecret,
  clientOf,
  createClient,
  type NewClient,
  removeSecret,
  revokeClient,
  rotateSecret,
  setAddresses,
} from './client.ts';
import { planClientDeletion, undeleteClient } from './deletion.ts';
import { describeClient } from './details.ts';
import { clients } from './fields.ts';

const isNotDeleted = ({ deleted_at }: Client) => deleted_at === undefined;

export const clientCreation = generalAction('client', 'create', {
  title: 'Create a client',
  about:
    'Create a client and show its client secret once. The secret cannot be shown again: only its digest is stored.',
  example: `--local client create --organisation acme --name "Nightly export" --scope ${scopes.join(' --scope ')}`,
  questions: {
    organisation: organisationQuestion,
    name: nameQuestion,
    scope: scopesQuestion,
    allowFrom: newAddressesQuestion,
    ends: endsQuestion,
  },
  run: async ({ deployment }, _, { organisation: organisationId, scope: scopes, ...answers }) => {
    // The type rejects a question without an attribute. A spread alone would drop its answer.
    const others: Pick<NewClient, keyof typeof answers> = answers;
    return withSecret(deployment, await createClient(deployment, { organisationId, scopes, ...others }));
  },
});

/** Actions on a client, in display order. */
export const clientActions = [
  entityAction(clients, 'rename', {
    title: 'Rename the client',
    about: 'Change the display name of a client. Its id, its secrets and its tokens stay as they are.',
    questions: { name: nameQuestion },
    initialValues: ({ name }) => ({ name: [name] }),
    isAvailable: isNotDeleted,
    run: async ({ deployment }, id, { name }) =>
      changed(
        await changeItem(deployment, 'client', id, updateClientName(id, name)),
        'The client was renamed.',
      ),
  }),

  entityAction(clients, 'set-scopes', {
    title: 'Change the scopes',
    about:
      'Replace the scopes of a client. New tokens get the new scopes; tokens already issued keep theirs.',
    questions: { scope: scopesQuestion },
    initialValues: ({ scopes }) => ({ scope: scopes }),
    isAvailable: isNotDeleted,
    run: async ({ deployment }, id, { scope }) =>
      changed(
        await changeItem(deployment, 'client', id, updateScopes(id, scope)),
        `The scopes are now ${scope.join(', ')}. Tokens already issued keep theirs.`,
      ),
  }),

  entityAction(clients, 'set-addresses', {
    title: 'Change the addresses',
    about:
      'Replace the ranges of IP addresses from which a client may get tokens, send them, and upload. New tokens get the new ranges; tokens already issued, and their upload URLs, keep theirs.',
    example: '--local client set-addresses CLIENT_ID --allow-from 203.0.113.0/24 --allow-from 198.51.100.7',
    questions: { allowFrom: addressesQuestion },
    initialValues: ({ allow_from }) => ({ allowFrom: [allow_from?.join(', ') ?? anyAddress] }),
    isAvailable: isNotDeleted,
    run: async ({ deployment }, id, { allowFrom }) =>
      changed(
        await setAddresses(deployment, id, allowFrom),
        `The client may send requests from ${allowFrom?.join(', ') ?? 'every address'}, from its next token on. Tokens already issued, and their upload URLs, keep their ranges until they expire.`,
      ),
  }),

  entityAction(clients, 'add-secret', {
    title: 'Add a secret',
    about: 'Add a second secret to a client and show it once. Both secrets work. A client has at most two.',
    example: '--local client add-secret CLIENT_ID --ends 180d',
    questions: { ends: endsQuestion },
    isAvailable: isNotDeleted,
    run: async ({ deployment }, id, { ends }) =>
      withSecret(deployment, await addSecret(deployment, id, ends)),
  }),

  entityAction(clients, 'rotate-secret', {
    title: 'Rotate the secret',
    about:
      'Create a new secret for a client and show it once. The old secret works until the grace time is over. For a leaked secret, use 0s: the old secret then ends immediately.',
    example: '--local client rotate-secret CLIENT_ID --grace 12h',
    questions: {
      grace: textQuestion(
        'Grace time',
        'time for which the old secret still works, such as 12h or 7d: 0s to 365d',
        parseDuration,
        '<time>',
        '7d',
      ),
      ends: endsQuestion,
    },
    isAvailable: isNotDeleted,
    run: async ({ deployment }, id, { grace, ends }) => {
      const client = await rotateSecret(deployment, id, grace, ends);
      const done = withSecret(deployment, client);
      const old = client.secrets.find(({ secret_id }) => secret_id !== client.secret_id);
      if (old === undefined) {
        return { ...done, message: `All older secrets of the client have ended.\n${done.message}` };
      }
      return {
        ...done,
        message: `The old secret ${old.secret_id} works until ${old.ends_at}. If the old secret has leaked, remove it now.\n${done.message}`,
      };
    },
  }),

  entityAction(clients, 'remove-secret', {
    title: 'Remove a secret',
    about:
      'Remove one secret of a client. The confirmation names its last use. The secret ends immediately. The last secret that still works cannot be removed.',
    questions: {
      secretId: textQuestion(
        'Secret ID',
        'the id of the secret to remove, from the details of the client',
        (text) => text,
      ),
    },
    isAvailable: ({ secrets }) => secrets.length > 1,
    isRisky: true,
    plan: async ({ deployment }, id, { secretId }) => {
      const { of: client, notes } = await describeClient(deployment, id);
      const secret = client.secrets.find(({ secret_id }) => secret_id === secretId);
      const warning = `${secret?.last_use ?? 'last use unknown'}. An application that still uses it gets no new token.`;
      return {
        question: [...notes, `This removes the secret ${quoted(secretId)}: ${warning}`].join(' '),
        run: async () => ({
          message: `The secret ${secretId} was removed: ${warning}`,
          view: entityView(clients, await removeSecret(deployment, id, secretId)),
        }),
      };
    },
  }),

  entityAction(clients, 'revoke', {
    title: 'Revoke the client',
    titleOfSeveral: 'Revoke clients',
    about:
      'Stop issuing tokens to a client immediately. Tokens already issued work until they expire. The client can be reinstated. If the client is already revoked, nothing changes.',
    isAvailable: ({ status }) => status === 'active',
    isRisky: true,
    run: async ({ deployment }, id) =>
      changed(
        await revokeClient(deployment, id),
        'This client gets no new tokens. Tokens already issued work until they expire.',
        `The client ${quoted(id)} was already revoked. Nothing was changed.`,
      ),
  }),

  entityAction(clients, 'reinstate', {
    title: 'Reinstate the client',
    titleOfSeveral: 'Reinstate clients',
    about: 'Undo a revocation. The client can get tokens again, with its old secrets.',
    isAvailable: (client) => client.status === 'revoked' && isNotDeleted(client),
    run: async ({ deployment }, id) =>
      changed(
        await changeItem(deployment, 'client', id, updateToActive(id)),
        'The client is reinstated.',
        `The client ${quoted(id)} is not revoked. Nothing was changed.`,
      ),
  }),

  entityAction(clients, 'delete', {
    title: 'Delete the client',
    about:
      'Delete a client. The client gets no token from now on, its secrets are removed immediately, and its outstanding ' +
      'upload URLs are cancelled. Tokens already issued work until they expire. Delete the client again after that, to ' +
      'cancel upload URLs that these tokens got. Files and their content stay. Until AWS removes its record, the client can be undeleted. If the deletion fails or is stopped, repeat it: that is safe.',
    isRisky: true,
    isLong: true,
    plan: planClientDeletion,
  }),

  entityAction(clients, 'undelete', {
    title: 'Undelete the client',
    about:
      'Undo the deletion of a client while its record is kept. The client returns with its id, name, scopes and addresses, and with ' +
      'one new secret, which is shown once. Its old secrets and its cancelled upload URLs do not return. A client that was revoked before stays revoked.',
    isAvailable: (client) => !isNotDeleted(client),
    run: async ({ deployment }, id) => withSecret(deployment, await undeleteClient(deployment, id)),
  }),
];

/**
 * Shows a client after a change.
 *
 * @param saysUnchanged sentence for a change that was not needed
 */
function changed({ item, changed }: Change, message: string, saysUnchanged = message): ActionResult {
  const client = clientOf(item);
  return whileSuspended(client, {
    message: changed ? message : saysUnchanged,
    view: entityView(clients, client),
  });
}

/** Returns the lines that configure an application with a new secret, for a shell. */
export function setUpOf({ outputs }: Deployment, clientId: string, secret: string): string {
  return `export FILE_SYNC_BASE_URL=${outputs.BaseUrl}\nexport FILE_SYNC_CLIENT_ID=${clientId}\nexport FILE_SYNC_CLIENT_SECRET=${secret}\n`;
}

function withSecret(deployment: Deployment, client: ClientWithSecret): ActionResult {
  const { client_id, client_secret } = client;
  return whileSuspended(client, {
    message:
      'Save the client secret now. It cannot be shown again: only its digest is stored.\nTo upload, an application also needs the id of a file of its organisation, in FILE_SYNC_FILE_ID.',
    view: entityView(clients, client),
    next: [{ noun: 'client', verb: 'guide', id: client_id }],
    secret: { value: client_secret, setUp: setUpOf(deployment, client_id, client_secret) },
  });
}
