import { permissionsByRole, statementsOf } from '../../test/lib/policies.ts';
import { listed, readable, type TemplateDocument } from '../../test/support/synthesized.ts';

/** What people call each role and resource. One without a name is an error: give it one here. */
const names: Readonly<Record<string, string>> = {
  '<TokenRole>': '`token`',
  '<VolumesRole>': '`volumes`',
  '<SyncRole>': '`sync`',
  '<WellKnownRole>': '`well-known`',
  '<RecorderRecordRole>': '`record-upload`',
  '<RotationRotateRole>': '`signing-keys`',
  '<SyncSignerRole>': 'upload signer, for one upload URL at a time',
  '<ClientsTable.Arn>': 'clients table',
  '<FilesTable.Arn>': 'files table',
  '<UploadsTable.Arn>': 'uploads table',
  '<UploadsBucket.Arn>/uploads/*': 'uploads in the bucket',
  '<SigningKeyPrivateKeys>': 'private signing keys',
  '<SigningKeyKeySet>': 'public key set',
  '<RecorderDeadLetters.Arn>': 'dead-letter queue',
};

const introduction = `# Who may do what

Made by \`npm run generate\` from the template that is deployed. Every function has a role of its own; what is not here
is not allowed. Each function may also write to its own log, and \`sync\` alone may assume the role of the upload
signer, whose trust policy says so.

## Keys

Reading the private signing keys takes two permissions: the role's own, to get the secret, and the KMS key's policy, to
decrypt it. \`volumes\`, \`sync\` and \`well-known\` have neither, and no administrator of the account has the second.
`;

/** The page docs/generated/permissions.md for a template. */
export function permissionsDocument(document: TemplateDocument): string {
  const permissions = permissionsByRole(document);
  const roles = Object.keys(permissions).toSorted((a, b) => order.indexOf(a) - order.indexOf(b));
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

function nameOf(reference: string): string {
  const name = names[reference];
  if (name === undefined) throw new Error(`${reference} has no name in scripts/documents/permissions.ts`);
  return name;
}

/** Yes or no, for each of the three ways to a key. */
function keyCells(role: string, lines: readonly string[], document: TemplateDocument): readonly string[] {
  const decrypts = statementsOf(document, 'AWS::KMS::Key').some(([, { Action, Principal }]) => {
    const who = listed((Principal as { readonly AWS: unknown }).AWS).map(readable);
    return listed(Action).includes('kms:Decrypt') && who.includes(role.replace('>', '.Arn>'));
  });
  const gets = (secret: string) => lines.includes(`secretsmanager:GetSecretValue on ${secret}`);
  return [gets('<SigningKeyPrivateKeys>'), decrypts, gets('<SigningKeyKeySet>')].map((may) =>
    may ? '**yes**' : 'no',
  );
}

/** The actions on each resource, the role's own log left out. */
function describe(lines: readonly string[]): readonly string[] {
  const byResource = new Map<string, string[]>();
  for (const line of lines) {
    const [, action = '', resource = ''] = /^(\S+) on (.*)$/.exec(line) ?? [];
    if (action.startsWith('logs:')) continue;
    byResource.set(resource, [...(byResource.get(resource) ?? []), `\`${action}\``]);
  }
  return [...byResource].map(([resource, actions]) => `${nameOf(resource)}: ${actions.join(', ')}`);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');
}
