import { Command } from 'commander';
import { showOne } from '../../output.ts';
import { createProgress } from '../../progress.ts';
import { formatSize, printable } from '../../text.ts';
import { type Download, downloadFile } from '../download-file.ts';
import { type AdminContext, act } from '../session.ts';

/** A transfer that stands still for a minute seldom goes on. */
const idleMilliseconds = 60_000;

export function fileDownloadCommand(context: AdminContext): Command {
  return new Command('download')
    .summary('write the current content of a file to a path')
    .description(
      'Write the current content of a file to a path. Size and ETag are verified before the path appears.\n' +
        'A download in which nothing arrives for 60 s is given up. Folders, links and devices are not replaced.',
    )
    .argument('<file-id>')
    .requiredOption('--output <path>', 'where to write it')
    .option('--force', 'replace the file that is there')
    .addHelpText('after', '\nExample:\n  admin --local file download orders --output orders.csv')
    .action(
      act(context, async ({ open, output }, fileId: string, options: { output: string; force?: boolean }) => {
        const download = await downloadFile(await open(), {
          fileId,
          output: options.output,
          force: options.force === true,
          idleMilliseconds,
          progress: (total) =>
            createProgress({ label: `Downloading ${printable(fileId)}`, total, stream: output.stderr }),
        });
        showOne(output, download, downloadDetails);
      }),
    );
}

function downloadDetails(download: Download): readonly (readonly [string, string])[] {
  return [
    ['File ID', download.file_id],
    ['Upload', download.upload_id],
    ['Written to', download.output],
    ['Size', formatSize(download.size)],
    ['ETag', `${download.etag}, verified`],
  ];
}
