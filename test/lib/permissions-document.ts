import { listed, readable, type TemplateDocument } from '../support/synthesized.ts';
import { permissionsByRole, statementsOf } from './policies.ts';

/** Display name of each role and resource. A missing name is an error: add it here. */
const names: Readonly<Record<string, string>> = {
  '<TokenRole>': '`token`',
  '<VolumesRole>': '`volumes`',
  '<SyncRole>': '`sync`',
  '<WellKnownRole>': '`well-known`',
  '<RecorderRecordRole>': '`record-upload`',
  '<ReconcilerReconcileRole>': '`reconcile-uploads`',
  '<RotationRotateRole>': '`signing-keys`',
  '<ProtectionProtectRole>': '`deletion-protection`',
  '<SyncSignerRole>': 'upload signer, for one upload URL at a time',
  '<OrganisationsTable.Arn>': 'organisations table',
  '<ClientsTable.Arn>': 'clients table',
  '<FilesTable.Arn>': 'files table',
  '<UploadsTable.Arn>': 'uploads table',
  '<FilesTable.Arn>/index/expected': 'index of watched files',
  '<UploadsTable.Arn>/index/due': 'index of uploads that are due',
  '<UploadsBucket.Arn>/uploads/*': 'uploads in the bucket',
  '<UploadsBucket.Arn>': 'bucket',
  '<SigningKeyPrivateKeys>': 'private signing keys',
  '<SigningKeyPrivateKeys> if {"ForAnyValue:StringEquals":{"secretsmanager:VersionStage":"AWSCURRENT"}}':
    'private signing keys, the version with AWSCURRENT',
  '<SigningKeyKeySet>': 'public key set',
  '<RecorderDeadLetters.Arn>': 'dead-letter queue',
  '<UploadEventsBus.Arn> if {"StringEquals":{"events:source":"file-sync-api"}}':
    'event bus of uploads, for events of the service',
  '<AWS::StackId>': 'the stack itself',
  '<RotationRotateFunction.Arn>': '`signing-keys` function',
};

const introduction = `# Who may do what

Every permission of each role, generated from the template. A call that is not listed is not allowed, with two
exceptions: each function may write to its own log, and \`sync\` may assume the role of the upload signer, whose trust
policy allows it.

## Keys

Reading the private signing keys takes two permissions: the role's policy must allow it to get the secret, and the KMS
key's policy to decrypt it. An administrator of the account does not have the second one.
`;

/** Returns the page docs/generated/permissions.md for a template. */
export function permissionsDocument(document: TemplateDocument): string {
  const permissions = permissionsByRole(document);
  const roles = inOrder(Object.keys(permissions));
  const keyRows = roles.map((role) => [nameOf(role), ...keyCells(role, permissions[role] ?? [], document)]);
  const rows = roles.map((role) => [nameOf(role), describe(permissions[role] ?? []).join('<br>')]);
  return [
    introduction,
    table(['Role of', 'Get the private signing keys', 'Decrypt them', 'Get the public key set'], keyRows),
    '\n## Everything\n',
    table(['Role of', 'May'], rows),
    '',
  ].join('\n');
}

const order = Object.keys(names);

function inOrder(roles: readonly string[]): readonly string[] {
  return roles.toSorted((a, b) => order.indexOf(a) - order.indexOf(b));
}

function nameOf(reference: string): string {
  const name = names[reference];
  if (name === undefined) {
    throw new Error(`${reference} has no name in test/lib/permissions-document.ts`);
  }
  return name;
}

const onlyCurrent =
  '<SigningKeyPrivateKeys> if {"ForAnyValue:StringEquals":{"secretsmanager:VersionStage":"AWSCURRENT"}}';

/** Returns yes or no for each of the three ways to a key. */
function keyCells(role: string, lines: readonly string[], document: TemplateDocument): readonly string[] {
  const decrypts = statementsOf(document, 'AWS::KMS::Key').some(([, { Action, Principal }]) => {
    const who = listed((Principal as { readonly AWS: unknown }).AWS).map(readable);
    return listed(Action).includes('kms:Decrypt') && who.includes(role.replace('>', '.Arn>'));
  });
  const gets = (secret: string) => lines.includes(`secretsmanager:GetSecretValue on ${secret}`);
  const all = gets('<SigningKeyPrivateKeys>') ? '**yes**' : 'no';
  return [
    gets(onlyCurrent) ? '**the one that signs**' : all,
    ...[decrypts, gets('<SigningKeyKeySet>')].map((may) => (may ? '**yes**' : 'no')),
  ];
}

/** Returns the actions on each resource, except the role's own log. */
function describe(lines: readonly string[]): readonly string[] {
  const byResource = new Map<string, string[]>();
  for (const line of lines) {
    const [, action = '', resource = ''] = /^(\S+) on (.*)$/.exec(line) ?? [];
    if (action.startsWith('logs:')) {
      continue;
    }
    byResource.set(resource, [...(byResource.get(resource) ?? []), `\`${action}\``]);
  }
  return [...byResource].map(([resource, actions]) => `${nameOf(resource)}: ${actions.join(', ')}`);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');
}
