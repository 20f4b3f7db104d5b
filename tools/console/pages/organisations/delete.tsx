import { Hono } from 'hono';
import { OperationError } from '../../../operator/errors.ts';
import { planOrganisationDeletion } from '../../../operator/organisations/deletion.ts';
import { type Entered, Field, nothingEntered } from '../../components/form.tsx';
import { Text } from '../../components/text.tsx';
import type { Env, PageContext } from '../../http/environment.ts';
import { checkForm, readForm } from '../../http/form.ts';
import { formPage, goTo, path } from '../../http/respond.tsx';
import { countOptions, startDeletion } from '../shared/deletion.tsx';

/** The deletion of everything of an organisation, for which its id is typed. */
export const deletePages = new Hono<Env>();

deletePages.get('/:id/delete', (c) => askPage(c, c.req.param('id'), nothingEntered));

async function askPage(c: PageContext, id: string, entered: Entered) {
  const { deployment } = c.var.console;
  const back = path('organisations', id);
  const plan = await planOrganisationDeletion(deployment, id, countOptions(c.var.console));
  if (plan === undefined) {
    return goTo(c, back, 'Everything of this organisation is already deleted.');
  }
  return formPage(
    c,
    { title: `Delete the organisation ${id}`, label: 'Delete everything of it', danger: true, back, entered },
    <>
      <div class="note warning">
        <p>
          <Text of={plan.question} />
        </p>
      </div>
      <Field name="typed" label="Type the id of the organisation" required />
    </>,
  );
}

deletePages.post('/:id/delete', async (c) => {
  const id = c.req.param('id');
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
  return startDeletion(c, 'organisation', id, planOrganisationDeletion);
});
