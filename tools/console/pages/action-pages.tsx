import { Hono } from 'hono';
import type { Child } from 'hono/jsx';
import type { Deployment } from '../../operator/deployment/deployment.ts';
import {
  type Action,
  type AnyAction,
  type Done,
  InvalidAnswers,
  type Plan,
  type Work,
} from '../../operator/description/action.ts';
import type { Noun } from '../../operator/description/noun.ts';
import { asksText, type Given } from '../../operator/description/question.ts';
import { OperationError } from '../../operator/errors.ts';
import type { Entered } from '../components/form.tsx';
import { QuestionFields } from '../components/question.tsx';
import { Sentence } from '../components/text.tsx';
import { entityAddress, listAddress } from '../http/addresses.ts';
import { timeLimit } from '../http/clock.ts';
import type { Env, PageContext } from '../http/environment.ts';
import { readForm } from '../http/form.ts';
import { startJob } from '../http/jobs.ts';
import { ErrorText } from '../http/problem.tsx';
import { type FormPage, formPage, goTo } from '../http/respond.tsx';
import { showSecretOnce } from './clients/new-secret.tsx';

/** A page that asks for a confirmation must not wait until a million uploads are counted. */
const maximumCountMilliseconds = 2000;

/** What the console adds to a form: the typed id, and that the question was read. */
const [typed, confirmed] = ['typed', 'confirmed'] as const;

const asksId = asksText('Id', 'type the id to confirm', (text) => text);

/** The pages of what can be done to one entity. */
export function actionPages<Of extends object>(
  actions: readonly Action<Of>[],
  find: (deployment: Deployment, id: string) => Promise<Of>,
): Hono<Env> {
  const pages = new Hono<Env>();
  for (const action of actions) {
    pages.get(`/:id/${action.verb}`, async (c) => {
      const id = c.req.param('id');
      const given = action.given(await find(c.var.console.deployment, id));
      return askPage(c, action, id, { values: { ...given, ...c.req.queries() }, errors: {} });
    });
    pages.post(`/:id/${action.verb}`, (c) => perform(c, action, c.req.param('id')));
  }
  return pages;
}

/** The pages of what is not done to one entity, such as making a new one. */
export function workPages(actions: readonly AnyAction[]): Hono<Env> {
  const pages = new Hono<Env>();
  for (const action of actions) {
    pages.get(`/+${action.verb}`, (c) => askPage(c, action, '', { values: c.req.queries(), errors: {} }));
    pages.post(`/+${action.verb}`, (c) => perform(c, action, ''));
  }
  return pages;
}

/** Asks what the action needs to know, and says what will happen. */
async function askPage(c: PageContext, action: AnyAction, id: string, entered: Entered, problem?: Child) {
  const { asks, isAsked, warns, about } = action;
  const { question } = isAsked && !hasQuestions(action) ? await action.prepare({})(workOf(c), id) : {};
  const warning = question ?? (await warns?.(c.var.console.deployment, id));
  return actionForm(
    c,
    action,
    id,
    { entered, ...(problem !== undefined && { status: 422 }) },
    <>
      {problem}
      {warning === undefined ? <p class="muted">{about}</p> : <Warning of={warning} />}
      <QuestionFields asks={asks} />
      {action.isTyped && <QuestionFields asks={{ [typed]: asksId }} />}
    </>,
  );
}

function Warning({ of }: { readonly of: string }) {
  return (
    <div class="note warning">
      <p>
        <Sentence of={of} />
      </p>
    </div>
  );
}

function actionForm(
  c: PageContext,
  { title, isRisky, noun }: AnyAction,
  id: string,
  form: Pick<FormPage, 'entered' | 'fields' | 'status'>,
  content: Child,
) {
  return formPage(
    c,
    { title, label: title, danger: isRisky === true, back: pageOf(noun, id), ...form },
    content,
  );
}

async function perform(c: PageContext, action: AnyAction, id: string) {
  const form = await readForm(c);
  const again = (errors: Entered['errors'], problem?: Child) =>
    askPage(c, action, id, { values: form, errors }, problem);
  if (action.isTyped && form[typed]?.[0]?.trim() !== id) {
    return again({ [typed]: `This is not the id: type ${id}. Nothing was changed.` });
  }
  try {
    const plan = await action.prepare(form)(workOf(c), id);
    if (plan.question !== undefined && hasQuestions(action) && form[confirmed] === undefined) {
      return confirmAnswers(c, action, id, form, plan.question);
    }
    return await run(c, action, id, plan);
  } catch (error) {
    if (error instanceof InvalidAnswers) {
      return again(error.errors);
    }
    // What was entered is not lost.
    if (error instanceof OperationError && error.kind === 'failed' && hasQuestions(action)) {
      return again({}, <ErrorText error={error} />);
    }
    throw error;
  }
}

/** Without questions, the page of the action has said what will happen. */
function hasQuestions({ asks }: AnyAction): boolean {
  return Object.keys(asks).length > 0;
}

/** Asks once more, when the answers decide what will happen. */
function confirmAnswers(c: PageContext, action: AnyAction, id: string, form: Given, question: string) {
  const given = Object.keys(action.asks).map((name) => [name, form[name]?.[0] ?? '']);
  const fields = { ...Object.fromEntries(given), [confirmed]: 'yes' };
  return actionForm(c, action, id, { fields }, <Warning of={question} />);
}

async function run(c: PageContext, { noun, title, isLong }: AnyAction, id: string, plan: Plan) {
  if (isLong !== true) {
    return show(c, noun, id, await plan.run(workOf(c)));
  }
  return startJob(c, { title, back: pageOf(noun, id) }, async (report) => {
    const { says, failure } = await plan.run(workOf(c, report));
    if (failure !== undefined) {
      throw failure;
    }
    return says;
  });
}

/** Goes to what was changed or made, which says what happened. */
function show(c: PageContext, noun: Noun, id: string, { says, shows, secret }: Done): Response {
  const page = pageOf(noun, shows.id ?? id);
  return secret === undefined ? goTo(c, page, says) : showSecretOnce(c, page, { ...secret, says });
}

function pageOf(noun: Noun, id: string): string {
  return id === '' ? listAddress(noun) : entityAddress(noun, id);
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
