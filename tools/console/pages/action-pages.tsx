import { Hono } from 'hono';
import type { Child } from 'hono/jsx';
import type { Deployment } from '../../operator/deployment/deployment.ts';
import {
  type Action,
  type AnyAction,
  InvalidAnswers,
  type Plan,
  type Work,
} from '../../operator/description/action.ts';
import { asksText, type Given } from '../../operator/description/question.ts';
import { OperationError } from '../../operator/errors.ts';
import { Notes } from '../components/detail.tsx';
import { Form, Hidden } from '../components/form.tsx';
import { type Entered, QuestionFields } from '../components/question.tsx';
import { entityAddress } from '../http/addresses.ts';
import { timeLimit } from '../http/clock.ts';
import type { Env, PageContext } from '../http/environment.ts';
import { readForm } from '../http/form.ts';
import { isChange } from '../http/guard.ts';
import { startJob } from '../http/jobs.ts';
import { ErrorText } from '../http/problem.tsx';
import { goTo, page } from '../http/respond.tsx';
import { showSecretOnce } from './clients/new-secret.tsx';

/** A page that asks for a confirmation must not wait until a million uploads are counted. */
const maximumCountMilliseconds = 2000;

/** The fields that the console adds to a form: the typed id, and the confirmation of the question. */
const [typed, confirmed] = ['typed', 'confirmed'] as const;

const asksId = asksText('ID', 'type the id to confirm', (text) => text);

/** What a request is about. */
interface Asked {
  readonly c: PageContext;
  readonly action: AnyAction;
  /** The id of the entity. Empty for an action that is not on one entity. */
  readonly id: string;
}

/** The pages of actions. @param find reads the entity of the actions */
export function actionPages<Of extends object>(
  actions: readonly (AnyAction | Action<Of>)[],
  find?: (deployment: Deployment, id: string) => Promise<Of>,
): Hono<Env> {
  const pages = new Hono<Env>();
  for (const action of actions) {
    const address = action.isOnOne ? `/:id/${action.verb}` : `/+${action.verb}`;
    const askedBy = (c: PageContext): Asked => ({ c, action, id: c.req.param('id') ?? '' });
    pages.get(address, async (c) => {
      const asked = askedBy(c);
      const of = await find?.(c.var.console.deployment, asked.id);
      const given = of !== undefined && 'given' in action ? action.given(of) : {};
      return askPage(asked, { values: { ...given, ...c.req.queries() }, errors: {} });
    });
    pages.post(address, (c) => perform(askedBy(c)));
  }
  return pages;
}

/** Asks what the action needs to know, and says what will happen. */
async function askPage(asked: Asked, entered: Entered, problem?: Child) {
  const { c, action, id } = asked;
  const { asks, isAsked, isTyped, warns, about } = action;
  const { question } = isAsked && !hasQuestions(action) ? await action.prepare({})(workOf(c), id) : {};
  const warning = question ?? (await warns?.(c.var.console.deployment, id));
  return formPage(
    asked,
    <>
      {problem}
      {warning === undefined ? <p class="muted">{about}</p> : <Notes of={[warning]} />}
      <QuestionFields asks={isTyped ? { ...asks, [typed]: asksId } : asks} entered={entered} />
    </>,
    isChange(c) ? 422 : 200,
  );
}

/** Answers with a page whose form is sent to the address of the page. */
function formPage({ c, action, id }: Asked, content: Child, status: 200 | 422 = 200) {
  const { title, isRisky, noun } = action;
  return page(
    c,
    { title, status },
    <Form action={c.req.path} label={title} danger={isRisky === true} back={entityAddress(noun, id)}>
      {content}
    </Form>,
  );
}

async function perform(asked: Asked) {
  const { c, action, id } = asked;
  const form = await readForm(c);
  const again = (errors: Entered['errors'], problem?: Child) =>
    askPage(asked, { values: form, errors }, problem);
  if (action.isTyped && form[typed]?.[0]?.trim() !== id) {
    return again({ [typed]: `This is not the id: type ${id}. Nothing was changed.` });
  }
  try {
    const plan = await action.prepare(form)(workOf(c), id);
    if (plan.question !== undefined && hasQuestions(action) && form[confirmed] === undefined) {
      return confirmAnswers(asked, form, plan.question);
    }
    return await run(asked, plan);
  } catch (error) {
    if (error instanceof InvalidAnswers) {
      return again(error.errors);
    }
    // The form keeps the entered values.
    if (error instanceof OperationError && error.kind === 'failed' && hasQuestions(action)) {
      return again({}, <ErrorText error={error} />);
    }
    throw error;
  }
}

/** Whether the action has questions. Without questions, the page of the action has already said what will happen. */
function hasQuestions({ asks }: AnyAction): boolean {
  return Object.keys(asks).length > 0;
}

/** Asks for a confirmation after the answers, because the answers decide what will happen. */
function confirmAnswers(asked: Asked, form: Given, question: string) {
  return formPage(
    asked,
    <>
      {Object.keys(asked.action.asks).map((name) => (
        <Hidden name={name} value={form[name]?.[0] ?? ''} />
      ))}
      <Hidden name={confirmed} value="yes" />
      <Notes of={[question]} />
    </>,
  );
}

/** Runs the plan, and goes to the page of the entity. That page says what happened. */
async function run({ c, action, id }: Asked, plan: Plan) {
  const { noun, title, isLong } = action;
  if (isLong) {
    return startJob(c, { title, back: entityAddress(noun, id) }, async (report) => {
      const { says, failure } = await plan.run(workOf(c, report));
      if (failure !== undefined) {
        throw failure;
      }
      return says;
    });
  }
  const { says, shows, secret } = await plan.run(workOf(c));
  const address = entityAddress(noun, shows.id ?? id);
  return secret === undefined ? goTo(c, address, says) : showSecretOnce(c, address, { ...secret, says });
}

function workOf(c: PageContext, report: (sentence: string) => void = () => undefined): Work {
  const { deployment, now, sleep } = c.var.console;
  return {
    deployment,
    now,
    sleep,
    progress: report,
    note: report,
    isTimeUp: timeLimit(now, maximumCountMilliseconds),
  };
}
