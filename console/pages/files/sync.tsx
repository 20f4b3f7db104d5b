import { Hono } from 'hono';
import {
  describeCancelAll,
  describeCancelReport,
  requireAllCancelled,
} from '../../../cli/operations/describe-outstanding.ts';
import { getFile, setSyncEnabled } from '../../../cli/operations/files.ts';
import { countOutstanding, disableAndCancel } from '../../../cli/operations/outstanding-uploads.ts';
import { requireNotDeleted } from '../../../cli/operations/tables.ts';
import { counted, formatSeconds, quoted } from '../../../cli/text.ts';
import { Consequences } from '../../components/detail.tsx';
import { Form } from '../../components/form.tsx';
import { Text } from '../../components/text.tsx';
import type { Env, PageContext } from '../../http/environment.ts';
import { readForm } from '../../http/form.ts';
import { page, path } from '../../http/respond.tsx';

/** The sync switch, and what closes the upload URLs that were issued before. */
export const syncPages = new Hono<Env>();

const addressOf = (id: string, ...rest: readonly string[]) => path('files', id, ...rest);

/** The form says which of the two is wanted, so that a switch that is out of date cannot turn it the other way. */
syncPages.post('/:id/sync', async (c) => {
  const id = c.req.param('id');
  const isWanted = (await readForm(c)).enabled?.[0] === 'true';
  const { changed } = await setSyncEnabled(c.var.console.deployment, id, isWanted);
  const undo = { label: 'Undo', action: addressOf(id, 'sync'), fields: { enabled: String(!isWanted) } };
  c.var.session.flash = changed
    ? { text: isWanted ? 'Clients can request upload URLs for this file.' : await offText(c, id), undo }
    : {
        text: `Syncing was ${isWanted ? 'already' : 'not'} enabled for ${quoted(id)}. Nothing was changed.`,
      };
  return c.redirect(addressOf(id), 303);
});

/** The page of the file says until when, and how to close them. */
async function offText(c: PageContext, id: string): Promise<string> {
  const { deployment, now } = c.var.console;
  const { outstanding } = await countOutstanding(deployment, id, now());
  const still =
    outstanding === 0
      ? 'No upload URL of it is outstanding.'
      : `${counted(outstanding, 'upload URL')} issued before still ${outstanding === 1 ? 'works' : 'work'}: see below.`;
  return `Clients get no upload URL for this file from now on. ${still}`;
}

syncPages.get('/:id/sync/close', async (c) => {
  const { deployment, now } = c.var.console;
  const file = await getFile(deployment, c.req.param('id'));
  requireNotDeleted('file', file.file_id, file);
  const { file_id } = file;
  const uploads = await countOutstanding(deployment, file_id, now());
  return page(
    c,
    { title: 'Close the upload URLs of a file' },
    <Form
      action={addressOf(file_id, 'sync', 'close')}
      label="Disable syncing and close the URLs"
      danger
      cancel={addressOf(file_id)}
    >
      <Consequences>
        <p>
          <Text of={describeCancelAll(file_id, uploads)} />
        </p>
        <p>
          A URL that is closed answers 412. Uploads that are completed stay. Syncing can be enabled again, and
          clients then need new URLs.
        </p>
      </Consequences>
    </Form>,
  );
});

syncPages.post('/:id/sync/close', (c) => {
  const id = c.req.param('id');
  const { deployment, now, sleep } = c.var.console;
  const job = c.var.session.jobs.start(
    { title: `Closing the upload URLs of the file ${quoted(id)}`, back: addressOf(id) },
    async (report, note) => {
      const done = await disableAndCancel(deployment, id, {
        disabled: () => report('Syncing is disabled.'),
        progress: (count) => report(`${counted(count, 'upload URL')} looked at so far.`),
        waiting: (milliseconds) =>
          report(`Waiting ${formatSeconds(milliseconds / 1000)} for sync requests that began before.`),
        sleep,
        now,
      });
      for (const { upload_id, outcome, reason } of done.rest) {
        note(`${upload_id} ${outcome}: ${reason}`);
      }
      requireAllCancelled(id, done);
      return ['Syncing is disabled.', describeCancelReport(done)];
    },
  );
  return c.redirect(path('jobs', job.id), 303);
});
