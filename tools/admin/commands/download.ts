import { resolve } from 'node:path';
import type { Command } from 'commander';
import { formNotes } from '../../operator/files/details.ts';
import { type OpenContent, openContent } from '../../operator/files/download.ts';
import { formatSize, printable } from '../../operator/text.ts';
import { UsageError } from '../../terminal/errors.ts';
import { createCommand } from '../../terminal/help.ts';
import { createProgress, type Progress, transferText } from '../../terminal/progress.ts';
import { showOne } from '../../terminal/table.ts';
import { checkOutputPath, writeWholeFile } from '../whole-file.ts';
import { type AdminContext, act, type Session } from './session.ts';

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
  )
    .argument('<file-id>')
    .requiredOption('--output <path>', 'write the content to this path')
    .option('--force', 'replace the output file if it exists')
    .action(act(context, download));
}

async function download(
  { open, output, note }: Session,
  fileId: string,
  { output: given, force = false }: DownloadFlags,
): Promise<void> {
  if (given === '-') {
    throw new UsageError('--output is the path of a file. Content is not written to standard output.');
  }
  const path = resolve(given);
  await checkOutputPath(path, force);
  const opened = await openContent(await open(), fileId);
  const { upload_id, size } = opened.content;
  const text = transferText(`Downloading ${printable(fileId)}`, size);
  await writeWholeFile(path, withProgress(opened, createProgress(output.stderr, text)), force);
  showOne(output, { upload_id, output: path, size }, [
    ['Upload ID', upload_id],
    ['Written to', path],
    ['Size', formatSize(size)],
  ]);
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
