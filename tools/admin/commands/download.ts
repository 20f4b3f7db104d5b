import { Command } from 'commander';
import { idleMilliseconds } from '../../operator/download/receive-content.ts';
import { formatSize, printable } from '../../operator/text.ts';
import { UsageError } from '../../terminal/errors.ts';
import { addExamples } from '../../terminal/help.ts';
import { note, showOne } from '../../terminal/output.ts';
import { createProgress, noProgress, transferText } from '../../terminal/progress.ts';
import { downloadFile, streamFile } from '../download/download-file.ts';
import { warnOfForm } from './form-warning.ts';
import { type AdminContext, act, type Session } from './session.ts';
import { details } from './views.ts';

/** Standard output, as the value of `--output`. A file of this name is `./-`. */
const standardOutput = '-';

const helpText = `
With - as the path, the content goes to standard output and everything else to
standard error. Its size, ETag and checksum can be verified only at the end: if
the exit code is not 0, do not use what was written. A file named - is ./-

Exit codes besides those of every command:
  141  the reader of standard output went away before it had everything`;

interface DownloadFlags {
  readonly output: string;
  readonly force?: boolean;
}

/** `admin file download`. */
export function downloadCommand(context: AdminContext): Command {
  const command = new Command('download')
    .summary('download the current content of a file')
    .description(
      'Download the current content of a file. The output file appears only after its size, ETag and checksum are verified. ' +
        'The command fails if no data arrives for 60 s. Folders, links and devices are never replaced.',
    )
    .argument('<file-id>')
    .requiredOption('--output <path>', 'write the content to this path, or to standard output with -')
    .option('--force', 'replace the output file if it exists')
    .addHelpText('after', helpText)
    .action(
      act(context, (session, fileId: string, flags: DownloadFlags) =>
        flags.output === standardOutput
          ? downloadToStandardOutput(session, fileId, flags)
          : downloadToFile(session, fileId, flags),
      ),
    );
  return addExamples(
    command,
    '--local file download orders --output orders.csv',
    '--local file download orders --output - | gzip > orders.csv.gz',
  );
}

async function downloadToFile(
  { open, output }: Session,
  fileId: string,
  { output: path, force }: DownloadFlags,
): Promise<void> {
  const download = await downloadFile(await open(), {
    fileId,
    output: path,
    force: force === true,
    idleMilliseconds,
    progress: (total) => createProgress(output.stderr, downloadText(fileId, total)),
  });
  showOne(output, download, details);
  warnOfForm(output, download.content_type);
}

async function downloadToStandardOutput(
  { context, open, output }: Session,
  fileId: string,
  { force }: DownloadFlags,
): Promise<void> {
  if (output.json) {
    throw new UsageError('With --output - the content is on standard output, so --json has no place there.');
  }
  if (force) {
    throw new UsageError('--force is for a file: --output - replaces nothing.');
  }
  const { size, etag, checksum_crc64nvme, content_type } = await streamFile(await open(), context.stdout, {
    fileId,
    idleMilliseconds,
    // On a terminal, it would be drawn into the content.
    progress: (total) =>
      context.stdout.isTTY ? noProgress : createProgress(output.stderr, downloadText(fileId, total)),
  });
  const checksum = checksum_crc64nvme === undefined ? '' : `, CRC64NVME ${printable(checksum_crc64nvme)}`;
  note(output, `${formatSize(size)}, ETag ${printable(etag)}${checksum}, verified.`);
  warnOfForm(output, content_type);
}

function downloadText(fileId: string, total: number) {
  return transferText(`Downloading ${printable(fileId)}`, total);
}
