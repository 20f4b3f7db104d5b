import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { createOutput, note, type Output, showJson, type TextStream } from '../output.ts';
import { createProgress, noProgress } from '../progress.ts';
import { formatSeconds, formatSize, printable, quoted } from '../text.ts';
import type { RetryPolicy } from './retry.ts';
import { createService } from './service.ts';
import { resolveSettings, type UploadFlags } from './settings.ts';
import { openFile, openStream, type Source, type StandardInput } from './source.ts';
import { type UploadResult, uploadFile } from './upload-file.ts';

/** What the upload command gets from its surroundings. */
export interface UploadContext {
  readonly stdin: StandardInput;
  readonly stdout: TextStream;
  readonly stderr: TextStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Default: waits. */
  readonly sleep?: (milliseconds: number) => Promise<unknown>;
}

const maximumAttempts = 5;

const helpText = `
Examples:
  export FILE_SYNC_BASE_URL=https://files.example.com FILE_SYNC_CLIENT_ID=client_...
  export FILE_SYNC_CLIENT_SECRET=...
  upload orders.csv --file orders
  pg_dump orders | upload - --file orders --quiet

With - as the path, standard input is read to its end before anything is sent. When it is empty, the file gets
empty content, and a warning says so even with --quiet: whatever should have written it may have failed.
A folder, the null device or a closed descriptor as standard input is refused.

Exit codes:
  0  uploaded
  1  failed: what and why is on standard error
  2  usage: the command line cannot be meant as it stands
  3  the client id, client secret or scope was not accepted
  4  there is no such file, or it belongs to another organisation
  5  the file does not have syncing enabled, or the upload URL was used or cancelled
  6  the file is larger than 5 GiB`;

/** The command line of clients: the whole job of one upload. */
export function createUploadProgram(context: UploadContext): Command {
  return new Command('upload')
    .description('Upload a file of up to 5 GiB into a file of the service, replacing its content.')
    .argument('<path>', 'file to upload; - reads standard input')
    .requiredOption('--file <id>', 'file of the service to upload into')
    .option('--base-url <url>', 'where the service is (env: FILE_SYNC_BASE_URL)')
    .option('--client-id <id>', 'who asks (env: FILE_SYNC_CLIENT_ID)')
    .option(
      '--client-secret-file <path>',
      'file with the client secret (env for the secret: FILE_SYNC_CLIENT_SECRET)',
    )
    .option(
      '--client-secret <secret>',
      'the client secret itself: others can read it here, so it is warned of',
    )
    .option('--quiet', 'no progress and no notes: only the result, warnings and errors')
    .option('--json', 'print the result as one JSON object')
    .addHelpText('after', helpText)
    .action((path: string, flags: UploadFlags) => run(path, flags, context));
}

async function run(path: string, flags: UploadFlags, context: UploadContext): Promise<void> {
  const output = createOutput({ ...context, json: flags.json === true });
  const settings = await resolveSettings(flags, context.env, (sentence) => note(output, sentence));
  if (path === '-' && context.stdin.isTTY && !flags.quiet) {
    note(output, 'Reading standard input: end it with Ctrl-D.');
  }
  const source = await openSource(path, context);
  try {
    if (path === '-' && source.size === 0) {
      note(output, 'warning: standard input was empty, so the file gets empty content.');
    }
    const policy = createPolicy(output, flags, context);
    const result = await uploadFile({
      service: createService(settings, policy),
      fileId: flags.file,
      source,
      policy,
      progress: () => (flags.quiet ? noProgress : createDisplay(source, output)),
      now: () => performance.now(),
    });
    showResult(output, source, result);
  } finally {
    await source.close();
  }
}

function openSource(path: string, { stdin }: UploadContext): Promise<Source> {
  return path === '-' ? openStream(stdin) : openFile(path);
}

function createPolicy(output: Output, { quiet }: UploadFlags, context: UploadContext): RetryPolicy {
  const pause = context.sleep ?? sleep;
  return {
    maximumAttempts,
    sleep: async (milliseconds) => void (await pause(milliseconds)),
    random: Math.random,
    onRetry: (reason, wait) => {
      if (!quiet) note(output, `${reason} Trying again in ${formatSeconds(wait / 1000)}.`);
    },
  };
}

/** A bar only where both ends are a terminal: a log that takes stdout usually takes stderr as well. */
function createDisplay(source: Source, { stdout, stderr }: Output) {
  const isTTY = stdout.isTTY === true && stderr.isTTY === true;
  const stream = { write: (text: string) => stderr.write(text), isTTY, columns: stderr.columns };
  return createProgress({ label: `Uploading ${printable(source.name)}`, total: source.size, stream });
}

function showResult(output: Output, source: Source, result: UploadResult): void {
  if (output.json) showJson(output, result);
  else output.stdout.write(`${sentence(source, result)}\n`);
}

/** The last line: what is now where. */
function sentence({ name }: Source, result: UploadResult): string {
  const { file_id, size, md5, upload_id, attempts, seconds, verified } = result;
  const facts = [
    formatSize(size),
    `MD5 ${md5}${verified ? ' at both ends' : ''}`,
    ...(upload_id === undefined ? [] : [`upload ${upload_id}`]),
    `${formatSeconds(seconds)}${attempts > 1 ? ` and ${attempts} attempts` : ''}`,
  ];
  return `${printable(name)} is uploaded into file ${quoted(file_id)}: ${facts.join(', ')}.`;
}
