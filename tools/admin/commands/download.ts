import { resolve } from 'node:path';
import type { Command } from 'commander';
import { formNotes } from '../../operator/files/details.ts';
import { type OpenContent, openContent } from '../../operator/files/download.ts';
import { formatSize, printable } from '../../operator/text.ts';
import { UsageError } from '../../terminal/errors.ts';
import { createCommand } from '../../terminal/help.ts';
import { writeBytes } from '../../terminal/output.ts';
import { createProgress, type Progress, transferText } from '../../terminal/progress.ts';
import { showOne } from '../../terminal/table.ts';
import { checkOutputPath, writeWholeFile } from '../whole-file.ts';
import { type AdminContext, act, type Session } from './session.ts';

/** The value of `--output` that means standard output. A file named `-` is `./-`. */
const standardOutput = '-';

const helpText = `
With - as the path, the content goes to standard output and everything else to
standard error. The content can be verified only at its end: if the exit code is
not 0, do not use the output. For a file named - use ./-

Exit codes besides those of every command:
  141  the reader of standard output closed it too early`;

interface DownloadFlags {
  readonly output: string;
  readonly force?: boolean;
}

/** Creates the command `admin file download`. */
export function downloadCommand(context: AdminContext): Command {
  return createCommand(
    'download',
    'download the current content of a file',
    'Download the current content of a file. The output file appears only after its size and checksum are verified. ' +
      'The command fails if no data arrives for two minutes. Folders, links and devices are never replaced.',
    '--local file download orders --output orders.csv',
    '--local file download orders --output - | gzip > orders.csv.gz',
  )
    .argument('<file-id>')
    .requiredOption('--output <path>', 'write the content to this path, or to standard output with -')
    .option('--force', 'replace the output file if it exists')
    .addHelpText('after', helpText)
    .action(act(context, download));
}

async function download(
  { context, open, output, note }: Session,
  fileId: string,
  flags: DownloadFlags,
): Promise<void> {
  const isFile = flags.output !== standardOutput;
  if (!isFile && output.json) {
    throw new UsageError('With --output - the content goes to standard output, so --json cannot be used.');
  }
  const path = resolve(flags.output);
  const mayReplace = flags.force === true;
  if (isFile) {
    await checkOutputPath(path, mayReplace);
  }
  const opened = await openContent(await open(), fileId);
  // A progress line would mix with content that is written to the terminal.
  const isShown = isFile || !context.stdout.isTTY;
  const text = transferText(`Downloading ${printable(fileId)}`, opened.content.size);
  const body = isShown ? withProgress(opened, createProgress(output.stderr, text)) : opened.body;
  const { upload_id, size, etag } = opened.content;
  if (isFile) {
    await writeWholeFile(path, body, mayReplace);
    showOne(output, { upload_id, output: path, size }, [
      ['Upload ID', upload_id],
      ['Written to', path],
      ['Size', formatSize(size)],
    ]);
  } else {
    for await (const chunk of body) {
      await writeBytes(context.stdout, chunk);
    }
    note(`${formatSize(size)}, ETag ${printable(etag)}, verified.`);
  }
  for (const warning of formNotes(opened.contentType)) {
    note(warning);
  }
}

async function* withProgress({ body }: OpenContent, progress: Progress): AsyncGenerator<Uint8Array> {
  let done = 0;
  try {
    for await (const chunk of body) {
      yield chunk;
      done += chunk.length;
      progress.update(done);
    }
  } finally {
    progress.finish();
  }
}
