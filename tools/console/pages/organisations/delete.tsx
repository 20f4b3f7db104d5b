import { Hono } from 'hono';
import { deleteOrganisation, planOrganisationDeletion } from '../../../operator/deletion.ts';
import {
  describeOrganisationDeletion,
  describeRetention,
  requireAllDeleted,
} from '../../../operator/deletion-texts.ts';
import { OperationError } from '../../../operator/errors.ts';
import { counted, quoted } from '../../../operator/text.ts';
import { type Entered, Field, nothingEntered } from '../../components/form.tsx';
import { Text } from '../../components/text.tsx';
import type { Env, PageContext } from '../../http/environment.ts';
import { checkForm, readForm } from '../../http/form.ts';
import { startJob } from '../../http/jobs.ts';
import { formPage, goTo, path } from '../../http/respond.tsx';
import { countOptions, jobOptions } from '../shared/deletion.ts';

/** The deletion of everything of an organisation, for which its id is typed. */
export const deletePages = new Hono<Env>();

deletePages.get('/:id/delete', (c) => askPage(c, c.req.param('id'), nothingEntered));

async function askPage(c: PageContext, id: string, entered: Entered) {
  const { deployment } = c.var.console;
  const back = path('organisations', id);
  const plan = await planOrganisationDeletion(deployment, id, countOptions(c.var.console));
  if (plan === 'deleted') {
    return goTo(c, back, 'Everything of this organisation is already deleted.');
  }
  return formPage(
    c,
    { title: `Delete the organisation ${id}`, label: 'Delete everything of it', danger: true, back, entered },
    <>
      <div class="note warning">
        <p>
          <Text of={describeOrganisationDeletion(plan)} />
        </p>
        <p>
          Its clients get no tokens, its files answer 404 and its upload URLs 412.{' '}
          {describeRetention(deployment.outputs)}
        </p>
      </div>
      <Field name="typed" label="Type the id of the organisation" required />
    </>,
  );
}

deletePages.post('/:id/delete', async (c) => {
  const id = c.req.param('id');
  const { console } = c.var;
  const checked = checkForm(await readForm(c), {
    typed: (text) => {
      if (text !== id) {
        throw new OperationError('invalid', `This is not the id: type ${id}. Nothing was deleted.`);
      }
      return text;
    },
  });
  if (!checked.ok) {
    return askPage(c, id, checked.entered);
  }
  const job = { title: `Deleting the organisation ${quoted(id)}`, back: path('organisations', id) };
  return startJob(c, job, async (report, note) => {
    const options = jobOptions(console, report, 'deleted');
    const done = await deleteOrganisation(console.deployment, id, options);
    for (const { upload_id, reason } of done.failed) {
      note(`${upload_id} failed: ${reason}`);
    }
    requireAllDeleted(done.failed, { do: 'delete organisation', organisationId: id });
    return [
      `Everything of the organisation was deleted: ${counted(done.clients, 'client')}, ${counted(done.files, 'file')} and ${counted(done.uploads, 'upload')}. ${counted(done.cancelled, 'upload URL')} ended.`,
    ];
  });
});
