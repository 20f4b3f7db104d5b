import { callerOf } from '../deployment/caller.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { inParallel } from '../deployment/in-parallel.ts';
import { InvalidInput, messageOf, OperationError } from '../errors.ts';
import { counted, quoted } from '../text.ts';
import { type Entity, idOf } from './entity.ts';
import type { NextStep } from './next-step.ts';
import type { Noun, Verb } from './noun.ts';
import type { Answers, InputValues, Questions } from './question.ts';

/** Context of an action. */
export interface ActionContext {
  readonly deployment: Deployment;
  readonly sleep: (milliseconds: number) => Promise<unknown>;
  /** Reports the progress. Each sentence replaces the one before. */
  readonly progress: (sentence: string) => void;
  /** Reports a sentence that stays visible. */
  readonly note: (sentence: string) => void;
}

/** Outcome of an action. */
export interface ActionResult {
  /** Summary for people, in sentences. */
  readonly message: string;
  /** Suggested next steps. */
  readonly next?: readonly NextStep[];
  readonly view: ResultView;
  /** A new client secret, which is shown once, and lines that configure an application with it. */
  readonly secret?: { readonly value: string; readonly setUp: string };
  /** Error to report, if only a part of the action succeeded. */
  readonly failure?: OperationError;
}

/** Result of an action: `json` for `--json`, and one entity or several for people. */
export interface ResultView {
  readonly json: object;
  /** Id of the entity, if the result is one entity. */
  readonly id?: string;
  readonly entity?: Entity;
  readonly of?: object;
  readonly all?: readonly object[];
}

/**
 * Returns the result for one entity.
 *
 * @param json output of `--json`. Default: the entity
 */
export function entityView(entity: Entity, of: object, json: object = of): ResultView {
  return { json, id: idOf(entity, of), entity, of };
}

/** Returns the result for several entities, as a list. */
export function listView(entity: Entity, all: readonly object[]): ResultView {
  return { json: { data: all }, entity, all };
}

/** Plan of an action, based on the stored data. */
export interface Plan {
  /**
   * Effects of the action, in sentences for a person to confirm. Absent: the action runs without a
   * confirmation.
   */
  readonly question?: string | undefined;
  readonly run: (context: ActionContext) => Promise<ActionResult>;
}

/** Texts and display settings of an action. */
interface ActionTexts {
  /** Label of the button, and title of the page. */
  readonly title: string;
  /** Title of the action on several entities. Absent: the action is on one entity at a time. */
  readonly titleOfSeveral?: string;
  /** Description of the action, in sentences. The first sentence is the summary of the command. */
  readonly about: string;
  /** Example parameters of the command, as a person types them. */
  readonly example?: string;
  /** True if the action removes something. Its button is red, and the console requires a confirmation. */
  readonly isRisky?: true;
  /** True if the action can take minutes. The console then shows a note. */
  readonly isLong?: true;
  /**
   * True if the typed id is the confirmation, in the command and in the console.
   */
  readonly isTyped?: true;
}

/** An action of an operator. The admin command and the console are two views of it. */
export interface Action<Of extends object = object> extends ActionTexts {
  readonly noun: Noun;
  readonly verb: Verb;
  readonly questions: Questions;
  /** True if the action applies to one entity, identified by its id. */
  readonly hasEntity: boolean;
  /** True if a person must confirm the action before it runs, in a terminal too. */
  readonly needsConfirmation: boolean;
  /**
   * Checks the answers to the questions, before a deployment is opened.
   *
   * @throws {InvalidAnswers}
   */
  readonly prepare: (input: InputValues) => CreatePlan;
  /**
   * Returns true if the action applies to the entity in its present state.
   *
   * @param now milliseconds since the epoch
   */
  isAvailable(of: Of, now: number): boolean;
  /** Returns the initial values of the form. */
  initialValues(of: Of): InputValues;
}

/** Reads the stored data, and creates the plan. The id is empty for an action without an entity. */
type CreatePlan = (context: ActionContext, id: string) => Promise<Plan>;

/**
 * Implementation of an action. `run` runs immediately. `plan` returns a plan, which a person may have to
 * confirm.
 */
type Implementation<Q extends Questions> = { readonly questions?: Q } & (
  | { readonly run: (context: ActionContext, id: string, answers: Answers<Q>) => Promise<ActionResult> }
  | { readonly plan: (context: ActionContext, id: string, answers: Answers<Q>) => Promise<Plan> }
);

type NoQuestions = Readonly<Record<never, never>>;

/** Describes an action on one entity. Default of `isAvailable`: always. */
export function entityAction<Of extends object, const Q extends Questions = NoQuestions>(
  { noun }: Entity<Of>,
  verb: Verb,
  description: ActionTexts & Partial<Pick<Action<Of>, 'isAvailable' | 'initialValues'>> & Implementation<Q>,
): Action<Of> {
  return { ...generalAction(noun, verb, description), hasEntity: true };
}

/** Describes an action without an existing entity, such as creating a client. */
export function generalAction<const Q extends Questions = NoQuestions>(
  noun: Noun,
  verb: Verb,
  description: ActionTexts & Implementation<Q>,
): Action {
  const questions: Questions = description.questions ?? {};
  return {
    isAvailable: () => true,
    initialValues: () => ({}),
    ...description,
    noun,
    verb,
    questions,
    hasEntity: false,
    needsConfirmation: 'plan' in description,
    prepare: (input) => {
      const answers = answersTo<Q>(questions, input);
      return async (context, id) => {
        const planning: Plan | Promise<Plan> =
          'plan' in description
            ? description.plan(context, id, answers)
            : { run: (running) => description.run(running, id, answers) };
        // Calls STS in parallel. If STS fails, the action does not run.
        const [plan] = await Promise.all([planning, callerOf(context.deployment)]);
        return plan;
      };
    },
  };
}

/**
 * Prepares an action on one or several entities. Several entities have one confirmation. The action runs on each of
 * them, also after a failure. If one failed, the error contains the result of each entity.
 *
 * @throws {InvalidAnswers}
 */
export function prepareSeveral(
  { prepare, about, noun, needsConfirmation }: Action,
  input: InputValues,
  ids: readonly string[],
) {
  const planOne = prepare(input);
  const [id = ''] = ids;
  if (ids.length < 2) {
    return (context: ActionContext) => planOne(context, id);
  }
  const run: Plan['run'] = async (context) => {
    let done = '';
    let failed = '';
    await inParallel(ids, async (one) => {
      try {
        const plan = await planOne(context, one);
        const { message } = await plan.run(context);
        done += `${quoted(one)}: ${message}\n`;
      } catch (error) {
        failed += `${quoted(one)} failed: ${messageOf(error)}\n`;
      }
    });
    const message = `${failed}${done}`.trimEnd();
    if (failed !== '') {
      throw new OperationError(message);
    }
    return { message, view: { json: { ids } } };
  };
  const question = needsConfirmation ? `${about} This changes ${counted(ids.length, noun)}.` : undefined;
  return async () => ({ question, run });
}

/** Errors in the answers, by the names of the questions. */
export class InvalidAnswers extends InvalidInput {
  readonly errors: Readonly<Record<string, string>>;

  constructor(errors: Readonly<Record<string, string>>) {
    super(Object.values(errors).join('\n'));
    this.errors = errors;
  }
}

/** Checks every answer, so that all errors are shown at the same time. */
function answersTo<Q extends Questions>(questions: Questions, input: InputValues): Answers<Q> {
  const errors: Record<string, string> = {};
  const answers: Record<string, unknown> = {};
  for (const [name, question] of Object.entries(questions)) {
    try {
      answers[name] = question.parse(input[name] ?? []);
    } catch (error) {
      if (!(error instanceof InvalidInput)) {
        throw error;
      }
      errors[name] = error.message;
    }
  }
  if (Object.keys(errors).length > 0) {
    throw new InvalidAnswers(errors);
  }
  return answers as Answers<Q>;
}
