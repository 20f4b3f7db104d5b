import { basename } from 'node:path';
import { Command } from 'commander';
import { FileSyncError, type FileSyncErrorCode } from '../../packages/client/errors.ts';
import { createFileSyncClient, type UploadResult } from '../../packages/client/index.ts';
import { isClientSecret } from '../../storage/client-secret.ts';
import { messageOf } from '../operator/errors.ts';
import { formatSeconds, formatSize, printable, quoted } from '../operator/text.ts';
import { CommandError, exitCodes } from '../terminal/errors.ts';
import { note, type Output, showJson, type TextStream } from '../terminal/output.ts';
import { createProgress, transferText } from '../terminal/progress.ts';
import { runProgram } from '../terminal/run-program.ts';
import { resolveSettings, type Settings, type UploadFlags } from './settings.ts';
import { openStandardInput, type StandardInput } from './standard-input.ts';

/** The dependencies of the upload program. */
interface UploadContext {
  readonly stdin: StandardInput;
  readonly stdout: TextStream;
  readonly stderr: TextStream;
  readonly env: NodeJS.ProcessEnv;
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
    .action((path: string, flags: UploadFlags) => run(path, flags, context));
}

async function run(path: string, flags: UploadFlags, context: UploadContext): Promise<void> {
  const output = { ...context, json: flags.json === true };
  let secret = '';
  try {
    const settings = await resolveSettings(flags, context.env);
    secret = settings.clientSecret;
    await uploadUntilStopped(path, flags, settings, output);
  } catch (error) {
    const isOfClient = error instanceof FileSyncError;
    const failure = isOfClient ? commandErrorOf(error, secret) : error;
    if (output.json) {
      const { requestId, storageRequestId } = isOfClient ? error : {};
      showJson(output, {
        error: messageOf(failure),
        request_id: requestId,
        storage_request_id: storageRequestId,
      });
    }
    throw failure;
  }
}

async function uploadUntilStopped(
  path: string,
  { allowEmpty = false, quiet }: UploadFlags,
  settings: Settings,
  output: UploadContext & Output,
): Promise<void> {
  const { stdin, stderr, sleep } = output;
  const stop = new AbortController();
  const stopped = output.interrupted.then(() => {
    stop.abort();
    throw new FileSyncError('aborted', 'Stopped. Nothing was stored.');
  });
  stopped.catch(() => undefined);
  const client = createFileSyncClient({ ...settings, sleep });
  const input =
    path === '-' ? await Promise.race([openStandardInput(stdin, allowEmpty), stopped]) : undefined;
  const name = input ? 'standard input' : basename(path);
  const startDisplay = () =>
    createProgress<readonly [sent: number, total: number]>(stderr, ([sent, total], seconds) =>
      transferText(`Uploading ${printable(name)}`, total)(sent, seconds),
    );
  let display: ReturnType<typeof startDisplay> | undefined;
  const result = await client
    .uploadFile(settings.fileId, input ?? path, {
      signal: stop.signal,
      onProgress: (...amounts) => {
        display ??= quiet ? undefined : startDisplay();
        display?.update(amounts);
      },
      onRetry: (reason, wait) => {
        display?.finish();
        display = undefined;
        if (!quiet) {
          note(output, `${reason} Trying again in ${formatSeconds(wait / 1000)}.`);
        }
      },
    })
    .finally(() => {
      display?.finish();
      return input?.close();
    });
  showResult(output, name, result);
}

/** Exit codes of failures. Others have the code 1. */
const exitCodeByReason: Readonly<Partial<Record<FileSyncErrorCode, number>>> = {
  invalid_argument: exitCodes.usage,
  source_too_large: exitCodes.tooLarge,
  invalid_client: exitCodes.authentication,
  insufficient_scope: exitCodes.authentication,
  not_found: exitCodes.notFound,
  sync_not_enabled: exitCodes.conflict,
  upload_url_used: exitCodes.conflict,
  aborted: exitCodes.interrupted,
};

const adviceOf: Readonly<Partial<Record<FileSyncErrorCode, string>>> = {
  aborted: ' Run the command again to upload the file.',
  not_a_file: ' Or connect it to standard input, with - as the path.',
};

/**
 * Explains a client secret in the wrong format. Show it only to the owner of the secret: the token endpoint does not
 * disclose it.
 */
const mistypedSecret =
  'The client secret is mistyped, cut or from another service: its form or its checksum is wrong. A file may have added a byte order mark or a carriage return.';

/** Returns the failure with the advice that fits a command. */
function commandErrorOf({ code, message }: FileSyncError, secret: string): CommandError {
  const isMistyped = code === 'invalid_client' && !isClientSecret(secret);
  const text = isMistyped ? message.replace(/The client id or .* is revoked\./, mistypedSecret) : message;
  return new CommandError(`${text}${adviceOf[code] ?? ''}`, exitCodeByReason[code] ?? exitCodes.failed);
}

function showResult(output: Output, name: string, result: UploadResult): void {
  const { fileId, uploadId, ...others } = result;
  if (output.json) {
    showJson(output, { file_id: fileId, upload_id: uploadId, ...others });
    return;
  }
  const { size, md5, verified, attempts, seconds } = others;
  const facts = [
    formatSize(size),
    `MD5 ${md5}${verified ? ' (verified)' : ''}`,
    `upload ${uploadId}`,
    `${formatSeconds(seconds)}${attempts > 1 ? ` and ${attempts} attempts` : ''}`,
  ];
  output.stdout.write(`${printable(name)} is uploaded into file ${quoted(fileId)}: ${facts.join(', ')}.\n`);
}
