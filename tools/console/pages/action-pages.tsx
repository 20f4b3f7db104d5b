import type { Hono } from 'hono';
import type { Child } from 'hono/jsx';
import { throwDamage } from '../../operator/deployment/items.ts';
import {
  type Action,
  type ActionContext,
  InvalidAnswers,
  type Plan,
  prepareSeveral,
} from '../../operator/description/action.ts';
import { attributeOf } from '../../operator/description/field.ts';
import { textQuestion } from '../../operator/description/question.ts';
import { OperationError } from '../../operator/errors.ts';
import type { Operations } from '../../operator/operations.ts';
import { Notes } from '../components/detail.tsx';
import { type EnteredValues, Form, QuestionFields } from '../components/form.tsx';
import { actionAddress, entityAddress } from '../http/addresses.ts';
import type { Env, PageContext } from '../http/environment.ts';
import { performOnce, readForm } from '../http/form.ts';
import { isChange } from '../http/guard.ts';
import { ErrorText } from '../http/problem.tsx';
import { goTo, page } from '../http/respond.tsx';

/** Form field of the console for the typed id. */
const typed = 'typed';

const idQuestion = textQuestion('ID', 'type the id to confirm', (text) => text);

const longNote =
  'This can take minutes, until the next page appears. The work continues if you leave this page, and stops when the ' +
  'console stops. The command shows its progress.';

/** Action and entities of a request. */
interface ActionRequest {
  readonly c: PageContext;
  readonly action: Action;
  /** Id of the entity. Empty for an action that is not on one entity. */
  readonly id: string;
  /** Ids of the entities. Only the empty id for an action that is not on an entity. */
  readonly ids: readonly string[];
  /** The entities. Empty for an action that is not on an entity. */
  readonly entities: readonly object[];
}

/**
 * Adds the pages of the actions of a noun. Operators choose the ids of files, so an address of all files contains a plus
 * sign, which is not valid in ids.
 */
export function addActionPages(pages: Hono<Env>, { general, actions, find }: Operations): void {
  for (const action of [...general, ...actions]) {
    const { noun, verb, hasEntity, titleOfSeveral = '' } = action;
    const address = hasEntity ? `/${noun}s/:id/${verb}` : actionAddress(noun, verb);
    const read = async (c: PageContext) => {
      const id = c.req.param('id') ?? '';
      const ids = titleOfSeveral === '' ? [id] : id.split(',');
      const entities =
        hasEntity && find ? await Promise.all(ids.map((one) => find(c.var.console.deployment, one))) : [];
      const several = ids.length > 1 && { title: `${titleOfSeveral}: ${ids.length}` };
      return { c, action: { ...action, ...several }, id: several ? '' : id, ids, entities };
    };
    pages.get(address, async (c) => {
      const selected = c.req.queries('id');
      if (hasEntity && selected !== undefined) {
        return c.redirect(actionAddress(noun, verb, selected.join()));
      }
      const request = await read(c);
      const [of] = request.entities;
      const values = of === undefined ? {} : action.initialValues(of);
      return formPage(request, { values: { ...values, ...c.req.queries() }, errors: {} });
    });
    pages.post(address, (c) => performOnce(c, async () => perform(await read(c))));
  }
}

/** Shows the form of the action: its questions, its effect and its entity. */
async function formPage(request: ActionRequest, entered: EnteredValues, problem?: Child) {
  const { c, action, id, ids, entities } = request;
  const { questions, needsConfirmation, isTyped, isRisky = false, isLong, about, title, noun } = action;
  // The plan can be prepared already if every required answer is known.
  const isKnown =
    isRisky &&
    needsConfirmation &&
    Object.entries(questions).every(([name, { isRequired }]) => !isRequired || entered.values[name]);
  const { question } = isKnown ? await prepareSeveral(action, entered.values, ids)(actionContext(c)) : {};
  const warning = isRisky ? (question ?? about) : undefined;
  const status = isChange(c) ? 422 : 200;
  return page(
    c,
    { title: titleOf(request), status },
    <Form
      action={c.req.path}
      label={title}
      kind={isRisky ? 'danger' : 'primary'}
      back={entityAddress(noun, id)}
    >
      {problem}
      {warning !== undefined && <Notes of={[warning]} />}
      {warning !== about && <p class="muted">{about}</p>}
      {isLong && <p class="muted">{longNote}</p>}
      {ids.length > 1 && (
        <ul>
          {entities.map((of, index) => (
            <li>
              {String(attributeOf(of, 'name') ?? attributeOf(of, 'file_id'))} <code>{ids[index]}</code>
            </li>
          ))}
        </ul>
      )}
      <QuestionFields
        questions={isTyped ? { ...questions, [typed]: idQuestion } : questions}
        entered={entered}
      />
    </Form>,
  );
}

/** Returns the action and its entity as a title. */
function titleOf({ action: { title }, id, entities: [of] }: ActionRequest): string {
  return id === '' || of === undefined ? title : `${title}: ${attributeOf(of, 'name') ?? id}`;
}

async function perform(request: ActionRequest) {
  const { c, action, id, ids } = request;
  const form = await readForm(c);
  const again = (errors: EnteredValues['errors'], problem?: Child) =>
    formPage(request, { values: form, errors }, problem);
  if (action.isTyped && form[typed]?.[0]?.trim() !== id) {
    return again({ [typed]: `This is not the id: type ${id}. Nothing was changed.` });
  }
  try {
    return await run(request, await prepareSeveral(action, form, ids)(actionContext(c)));
  } catch (error) {
    if (error instanceof InvalidAnswers) {
      return again(error.errors);
    }
    // The form keeps the entered values.
    if (error instanceof OperationError && error.kind === 'failed') {
      return again({}, <ErrorText error={error} />);
    }
    throw error;
  }
}

/** Runs the plan, and redirects to the page of the entity, which shows the result. */
async function run({ c, action, id }: ActionRequest, plan: Plan) {
  const { view, failure, ...message } = await plan.run(actionContext(c));
  throwDamage(c.var.console.deployment.damage);
  if (failure !== undefined) {
    throw failure;
  }
  return goTo(c, entityAddress(action.noun, view.id ?? id), message);
}

function actionContext(c: PageContext): ActionContext {
  const { deployment, sleep } = c.var.console;
  return { deployment, sleep, progress: () => undefined, note: () => undefined };
}
