import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { keepIn } from '../../operator/apply/keep-secret.ts';
import { applyChanges, type Change, planChanges } from '../../operator/apply/plan.ts';
import { parseState } from '../../operator/apply/state.ts';
import { setUpOf } from '../../operator/clients/actions.ts';
import { reasonOf } from '../../operator/errors.ts';
import { counted, printable, quoted } from '../../operator/text.ts';
import { CommandError, UsageError } from '../../terminal/errors.ts';
import { createCommand } from '../../terminal/help.ts';
import { showJson } from '../../terminal/output.ts';
import { confirm } from '../../terminal/question.ts';
import { type AdminContext, act, type Session } from './session.ts';

interface Flags {
  readonly plan?: boolean;
  readonly prune?: boolean;
  readonly secretsTo?: string;
  readonly yes?: boolean;
}

/** Creates the command `admin apply`. */
export function applyCommand(context: AdminContext): Command {
  return createCommand(
    'apply',
    'create, change and delete clients and files to match a state file',
    'Create and change clients and files until they match a state file: JSON in the format of docs/state.schema.json. ' +
      'Clients and files that are not in the state stay. With --prune, they are deleted, only in the organisations of the state. ' +
      'Secrets of new clients are shown once, or stored in AWS Secrets Manager. Repeat the command if it fails: that is safe.',
    '--local apply state.json --plan',
    '--stack file-sync-prod apply state.json --prune --secrets-to file-sync/',
  )
    .argument('<state-file>')
    .option('--plan', 'show the changes, and change nothing')
    .option('--prune', 'delete clients and files that are not in the state, after a confirmation')
    .option(
      '--secrets-to <prefix>',
      'store each new secret in AWS Secrets Manager, under this prefix and the client ID',
    )
    .option('--yes', 'skip the confirmation')
    .action(act(context, runApply));
}

async function runApply(
  { context, output, open, progress, note }: Session,
  path: string,
  { plan = false, prune = false, secretsTo, yes = false }: Flags,
): Promise<void> {
  const decode = (bytes: Uint8Array) => new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  const text = await readFile(path)
    .then(decode)
    .catch((error) => {
      throw new UsageError(`The state file ${quoted(path)} could not be read: ${reasonOf(error)}.`);
    });
  const state = parseState(text);
  const deployment = await open();
  const work = { ...context, deployment, progress: progress.update, note };
  const changes = await planChanges(work, state, prune);
  const count = counted(changes.length, 'change');
  const show = (lines: string) => {
    progress.finish();
    output.stdout.write(output.json ? '' : lines);
  };
  show(changes.map((change) => `${lineOf(change)}\n`).join(''));
  const secrets = new Map<string, string>();
  const showSecret = async (id: string, secret: string) => {
    secrets.set(id, secret);
    show(`\n${setUpOf(deployment, id, secret)}`);
    return secret;
  };
  const effects = changes.flatMap(({ question }) => question ?? []);
  if (effects.length > 0) {
    const question = `${effects.join('\n')}\n${counted(effects.length, 'deletion')}.`;
    await confirm(question, plan || yes, context);
  }
  const keepSecret = secretsTo === undefined ? showSecret : keepIn(deployment, secretsTo);
  const failures = plan ? [] : await applyChanges(changes, keepSecret);
  if (output.json) {
    showJson(output, { data: changes, secrets: Object.fromEntries(secrets) });
  }
  if (secrets.size > 0) {
    note('Save the client secrets now. They cannot be shown again: only their digests are stored.');
  }
  if (failures.length > 0) {
    throw new CommandError(
      `${failures.join('\n')}\n${failures.length} of ${count} failed. Correct the causes, and run the command again.`,
    );
  }
  note(plan ? `${count} planned. Nothing was changed.` : `${count} applied.`);
}

/** Returns a change in one line, such as `create file orders in acme {"name":"orders.csv","sync_enabled":true}`. */
function lineOf({ change, noun, id, organisation, values }: Change): string {
  const words = [change, noun, id, 'in', organisation, JSON.stringify(values)];
  return printable(words.join(' ').trimEnd());
}
