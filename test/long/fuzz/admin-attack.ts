import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { identifierPattern } from '../../../contract/identifiers.ts';
import { clientSecretPattern } from '../../../storage/client-secret.ts';
import { type FakeAws, startFakeAws } from '../../support/fake-aws.ts';
import { hostileText } from '../../support/hostile-text.ts';
import { admin } from '../../support/run-admin.ts';
import { createCounter, type PreparedAttack, require } from './attack.ts';

const existing = { client: '{client}', file: 'seeded-file', organisation: 'acme' };

const value = fc.oneof(
  { weight: 4, arbitrary: hostileText },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      existing.client,
      existing.file,
      existing.organisation,
      'volume:read',
      '--',
      '-',
      '',
    ),
  },
);

const flag = fc.constantFrom(
  '--organisation',
  '--name',
  '--scope',
  '--id',
  '--file',
  '--grace',
  '--secret-id',
  '--sync-enabled',
  '--json',
  '--yes',
  '--help',
  '--unknown',
);

const verb = fc.constantFrom(
  ['client', 'create', '--organisation', 'acme', '--scope', 'volume:read', '--name'],
  ['client', 'create', '--name', 'n', '--scope', 'volume:read', '--organisation'],
  ['client', 'create', '--organisation', 'acme', '--name', 'n', '--scope'],
  ['client', 'list'],
  ['client', 'show'],
  ['client', 'revoke', '--yes'],
  ['client', 'restore'],
  ['client', 'set-scopes', existing.client, '--scope'],
  ['client', 'add-secret'],
  ['client', 'remove-secret', existing.client, '--secret-id'],
  ['client', 'rotate-secret', existing.client, '--grace'],
  ['file', 'create', '--organisation', 'acme', '--name'],
  ['file', 'create', '--organisation', 'acme', '--name', 'n', '--id'],
  ['file', 'list', '--organisation'],
  ['file', 'show'],
  ['file', 'enable-sync'],
  ['file', 'disable-sync'],
  ['file', 'disable-sync', '--cancel-uploads', '--yes'],
  ['upload', 'list', '--file'],
  ['upload', 'list', '--organisation', 'acme', '--state'],
  ['upload', 'show'],
  ['upload', 'cancel'],
  ['signing-key', 'list'],
  ['signing-key', 'revoke', '--yes'],
  ['help'],
  [],
);

const attempt = fc.record({
  verb,
  value,
  more: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(fc.oneof(flag, value), { maxLength: 4 }) },
  ),
  json: fc.boolean(),
  debug: fc.boolean(),
});

/** Commands whose job it is to show a new client secret, once. */
const showsSecret = new Set(['client create', 'client add-secret', 'client rotate-secret']);

/** The operators' command line, with AWS played by dynalite and a few lines, in this process. */
export async function attackAdminCommandLine(): Promise<PreparedAttack> {
  const aws = await startFakeAws();
  const seeded = await seed(aws);
  const { counts, count } = createCounter();
  const property = fc.asyncProperty(attempt, async ({ verb: words, value: text, more, json, debug }) => {
    const parameters = ['--local', ...(json ? ['--json'] : []), ...words, text, ...more].map((one) =>
      one.replace('{client}', seeded),
    );
    const run = await admin(aws.deployment, parameters, debug ? { DEBUG: '1' } : {});
    count(`exit ${run.code}`);
    require([0, 1, 2].includes(run.code), `exit code ${run.code}`);
    const written = run.stdout + run.stderr;
    require(!/[^\P{Cc}\n\t]/u.test(written), 'control characters reach the terminal');
    require(!/[\u202a-\u202e\u2066-\u2069]/u.test(written), 'bidirectional overrides reach the terminal');
    require(!/\b(?:Type|Range|Syntax|Reference)Error\b/.test(
      withoutTyped(run.stderr, parameters),
    ), 'a failure nobody foresaw');
    if (run.code === 0 && json && run.stdout.startsWith('{')) {
      JSON.parse(run.stdout);
    }
    const secrets = run.stdout.split(/[^\w-]+/).filter((word) => clientSecretPattern.test(word));
    const allowed = showsSecret.has(words.slice(0, 2).join(' ')) && run.code === 0 ? 1 : 0;
    require(secrets.length <= allowed, 'a client secret is shown by a command that should not');
  });
  return {
    run: (options) => fc.assert(property, options),
    reached: counts,
    finish: async () => {
      await requireSoundTables(aws).finally(aws.stop);
    },
  };
}

/** A client and a file that commands can act on. */
async function seed(aws: FakeAws): Promise<string> {
  const create = ['--local', '--json', 'client', 'create', '--organisation', existing.organisation];
  const made = await admin(aws.deployment, [...create, '--name', 'Seeded', '--scope', 'volume:read']);
  const file = ['--local', 'file', 'create', '--organisation', existing.organisation, '--name', 'n'];
  await admin(aws.deployment, [...file, '--id', existing.file]);
  return String(made.json().client_id);
}

/** What was typed may name an error; what the tool itself says may not. */
function withoutTyped(text: string, parameters: readonly string[]): string {
  return parameters.filter((one) => one.length > 3).reduce((rest, one) => rest.replaceAll(one, ''), text);
}

/** Nothing was stored that other commands, logs or paths could not carry. */
async function requireSoundTables({ deployment }: FakeAws): Promise<void> {
  const client = new DynamoDBClient(deployment.awsConfig);
  for (const [table, id] of [
    ['clients', 'client_id'],
    ['files', 'file_id'],
  ] as const) {
    const { Items = [] } = await client.send(new ScanCommand({ TableName: table }));
    for (const item of Items) {
      require(identifierPattern.test(item[id]?.S ?? ''), `${table} has an item with another kind of id`);
      require(identifierPattern.test(
        item.organisation_id?.S ?? '',
      ), `${table} has another kind of organisation`);
      require(!/[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u.test(
        item.name?.S ?? '',
      ), `${table} has a name with control characters`);
    }
  }
  client.destroy();
}
