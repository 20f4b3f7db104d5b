import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { getClient } from '../../operator/clients/client.ts';
import { clients } from '../../operator/clients/fields.ts';
import type { Deployment } from '../../operator/deployment/deployment.ts';
import { files } from '../../operator/files/fields.ts';
import { getFile } from '../../operator/files/file.ts';
import { uploads } from '../../operator/uploads/fields.ts';
import { mayBeUnderWay, underWayNote } from '../../operator/uploads/outstanding.ts';
import { getUpload, type Upload } from '../../operator/uploads/upload.ts';
import { details } from '../../terminal/entity.ts';
import { note, showOne } from '../../terminal/output.ts';
import { withContentType } from './form-warning.ts';
import { type AdminContext, act } from './session.ts';

/** `client show` */
export function showClientCommand(context: AdminContext): Command {
  return new Command('show')
    .summary('show one client')
    .description('Show one client. Each secret is listed by its id, creation and end, never by its value.')
    .argument('<client-id>')
    .action(
      act(context, async ({ open, output }, clientId: string) => {
        showOne(output, await getClient(await open(), clientId), details(clients));
      }),
    );
}

/** `file show` */
export function showFileCommand(context: AdminContext): Command {
  return new Command('show')
    .summary('show one file and its content')
    .description('Show one file and its current content. Its uploads: upload list --file ID.')
    .argument('<file-id>')
    .action(
      act(context, async ({ open, output }, fileId: string) => {
        const deployment = await open();
        const { content, ...file } = await getFile(deployment, fileId);
        const typed = content && (await withContentType(deployment, output, content));
        showOne(output, typed === undefined ? file : { ...file, content: typed }, details(files));
      }),
    );
}

/** `upload show` */
export function showUploadCommand(context: AdminContext): Command {
  return new Command('show')
    .summary('show one upload')
    .description('Show one upload: its client, its file, its times and its state.')
    .argument('<upload-id>')
    .option('--watch', 'wait until the upload is completed, cancelled or expired')
    .action(
      act(context, async ({ open, output, typed }, uploadId: string, options: { watch?: boolean }) => {
        const deployment = await open();
        const upload = options.watch
          ? await untilUsed(deployment, uploadId)
          : await getUpload(deployment, uploadId);
        const shown =
          upload.state === 'completed' ? await withContentType(deployment, output, upload) : upload;
        showOne(output, shown, details(uploads));
        if (mayBeUnderWay(upload, Date.now())) {
          note(output, `${underWayNote} To refuse it: ${typed('upload', 'cancel', upload.upload_id)}`);
        }
      }),
    );
}

const watchPollMilliseconds = 1000;

/** Waits until an upload is no longer issued. */
async function untilUsed(deployment: Deployment, uploadId: string): Promise<Upload> {
  for (;;) {
    const upload = await getUpload(deployment, uploadId);
    if (upload.state !== 'issued') {
      return upload;
    }
    await sleep(watchPollMilliseconds);
  }
}
