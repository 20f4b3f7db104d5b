import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { messageOf } from '../operator/errors.ts';
import { formatSeconds, formatSize, printable, quoted } from '../operator/text.ts';
import { note, type Output, showJson, type TextStream } from '../terminal/output.ts';
import { createProgress, noProgress, transferText } from '../terminal/progress.ts';
import { runProgram } from '../terminal/run-program.ts';
import { type Journal, quotation, stopped, withJournal } from './journal.ts';
import type { RetryPolicy } from './retry.ts';
import { createRequestUploadUrl } from './service-api.ts';
import { resolveSettings, type UploadFlags } from './settings.ts';
import { openFile, type Source } from './source.ts';
import { openStandardInput, type StandardInput } from './standard-input.ts';
import { type UploadResult, uploadFile } from './upload-file.ts';

/** The dependencies of the upload program. */
interface UploadContext {
  readonly stdin: StandardInput;
  readonly stdout: TextStream;
  readonly stderr: TextStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Words that start this program, as the reader types them. */
  readonly words: string;
  /** Version of the package. */
  readonly version: string;
  /** Resolves when the command is asked to stop. */
  readonly interrupted: Promise<unknown>;
  /** Sleep function. Default: a real wait. For tests. */
  readonly sleep?: (milliseconds: number) => Promise<unknown>;
}

const helpText = (words: string) => `
Examples:
  export FILE_SYNC_BASE_URL=https://files.example.com
  export FILE_SYNC_CLIENT_ID=client_... FILE_SYNC_CLIENT_SECRET=...
  export FILE_SYNC_FILE_ID=orders
  ${words} orders.csv
  pg_dump orders | ${words} - --quiet

With - as the path, standard input is read completely before anything is sent.
If it is empty, nothing is sent, because the command before the pipe may have
failed: --allow-empty uploads it all the same. An empty file that is named by
its path is uploaded.

Exit codes:
  0    uploaded
  1    failed: the reason is on standard error
  2    invalid arguments: nothing was attempted
  3    the service rejected the client id, client secret or scope
  4    the file does not exist, or belongs to another organisation
  5    syncing is not enabled for the file, or the URL was used or cancelled
  6    the file is larger than 5 GiB
  130  stopped by Ctrl-C`;

/**
 * Runs the upload command.
 *
 * @param parameters arguments after the name of the script
 * @returns exit code
 */
export function runUpload(parameters: readonly string[], context: UploadContext): Promise<number> {
  return runProgram(createUploadProgram(context), { ...context, parameters });
}

/** Creates the upload program: from the access token to the verified upload. */
export function createUploadProgram(context: UploadContext): Command {
  const { words } = context;
  return new Command(words)
    .description('Upload a local file of up to 5 GiB and replace the content of a file of the service.')
    .version(context.version, '--version', 'print the version')
    .argument('<path>', 'upload this local file, or standard input if it is -')
    .option('--file <id>', 'upload into this file of the service (env: FILE_SYNC_FILE_ID)')
    .option('--base-url <url>', 'send requests to this service (env: FILE_SYNC_BASE_URL)')
    .option('--client-id <id>', 'authenticate as this client (env: FILE_SYNC_CLIENT_ID)')
    .option(
      '--client-secret-file <path>',
      'read the client secret from this file (or set FILE_SYNC_CLIENT_SECRET to the secret)',
    )
    .option('--allow-empty', 'upload standard input even if it is empty')
    .option('--quiet', 'show only the result, warnings and errors')
    .option('--json', 'print the result, or the reason of a failure, as one JSON object')
    .addHelpText('after', helpText(words))
    .action((path: string, flags: UploadFlags) => runUntilStopped(path, flags, context));
}

/** One run of the command. */
interface Session extends UploadContext, Output {
  readonly journal: Journal;
}

async function runUntilStopped(path: string, flags: UploadFlags, context: UploadContext): Promise<void> {
  const journal: Journal = { ids: {}, moment: '', unfinished: new Set() };
  const session = { ...context, json: flags.json === true, journal };
  const stop = context.interrupted.then(() => Promise.reject(stopped(journal)));
  try {
    await Promise.race([run(path, flags, session), stop]);
  } catch (error) {
    const failure = withJournal(error, journal);
    if (session.json) {
      showJson(session, { error: messageOf(failure), ...journal.ids });
    }
    throw failure;
  }
}

async function run(path: string, flags: UploadFlags, session: Session): Promise<void> {
  const { stdin, stderr, env, journal } = session;
  const settings = await resolveSettings(flags, env);
  const source =
    path === '-' ? await openStandardInput(stdin, flags.allowEmpty === true) : await openFile(path);
  const progressText = transferText(`Uploading ${printable(source.name)}`, source.size);
  const policy = createPolicy(flags, session);
  const result = await uploadFile({
    requestUploadUrl: createRequestUploadUrl(settings, policy, journal),
    fileId: settings.fileId,
    source,
    policy,
    progress: () => (flags.quiet ? noProgress : createProgress(stderr, progressText)),
    journal,
  }).finally(source.close);
  showResult(session, source, result);
}

function createPolicy({ quiet }: UploadFlags, session: Session): RetryPolicy {
  return {
    sleep: session.sleep ?? sleep,
    onRetry: (reason, wait) => {
      if (!quiet) {
        const quote = quotation(session.journal);
        note(session, `${reason} Trying again in ${formatSeconds(wait / 1000)}.${quote}`);
      }
    },
  };
}

function showResult(output: Output, source: Source, result: UploadResult): void {
  if (output.json) {
    showJson(output, result);
  } else {
    output.stdout.write(`${resultText(source, result)}\n`);
  }
}

/** Returns the result for people, in one line. */
function resultText({ name }: Source, result: UploadResult): string {
  const { file_id, size, md5, verified, upload_id, attempts, seconds } = result;
  const facts = [
    formatSize(size),
    `MD5 ${md5}${verified ? ' (verified)' : ''}`,
    `upload ${upload_id}`,
    `${formatSeconds(seconds)}${attempts > 1 ? ` and ${attempts} attempts` : ''}`,
  ];
  return `${printable(name)} is uploaded into file ${quoted(file_id)}: ${facts.join(', ')}.`;
}
