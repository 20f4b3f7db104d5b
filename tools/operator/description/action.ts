import { callerOf } from '../deployment/caller.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { InvalidInput, type OperationError } from '../errors.ts';
import { columnsOf, type Entity, type Fact, factsOf, idOf, type ListColumn, rowOf } from './entity.ts';
import type { NextStep } from './next-step.ts';
import type { Noun, Verb } from './noun.ts';
import type { Answers, GivenValues, Questions } from './question.ts';

/** Context of an action. */
export interface Work {
  readonly deployment: Deployment;
  readonly sleep: (milliseconds: number) => Promise<unknown>;
  /** Reports the progress. Each sentence replaces the one before. */
  readonly progress: (sentence: string) => void;
  /** Reports a sentence that stays visible. */
  readonly note: (sentence: string) => void;
  /** Returns true to stop the count before a confirmation. Default: everything is counted. */
  readonly isTimeUp?: () => boolean;
}

/** Outcome of an action. */
export interface ActionResult {
  /** Summary for people, in sentences. */
  readonly says: string;
  /** Suggested next steps. */
  readonly next?: readonly NextStep[];
  readonly shows: ShownResult;
  /** A new client secret, which is shown once, and lines that configure an application with it. */
  readonly secret?: { readonly value: string; readonly setUp: string };
  /** Error to report, if only a part of the action succeeded. */
  readonly failure?: OperationError;
}

/** Result of an action: `json` for `--json`, and facts or a table for people. */
export interface ShownResult {
  readonly json: object;
  /** Id of the entity, if the result is one entity. */
  readonly id?: string;
  readonly facts?: readonly Fact[];
  /** Rows, if the result is several entities. */
  readonly table?: {
    readonly noun: Noun;
    readonly columns: readonly ListColumn[];
    readonly rows: readonly (readonly (Fact | undefined)[])[];
  };
}

/**
 * Returns the result for one entity.
 *
 * @param json output of `--json`. Default: the entity
 */
export function one<Of extends object>(entity: Entity<Of>, of: Of, json: object = of): ShownResult {
  return { json, id: idOf(entity, of), facts: factsOf(entity, of) };
}

/** Returns the result for several entities, as a list. */
export function several<Of extends object>(entity: Entity<Of>, all: readonly Of[]): ShownResult {
  const rows = all.map((of) => rowOf(entity, of));
  return { json: { data: all }, table: { noun: entity.noun, columns: columnsOf(entity), rows } };
}

/** Plan of an action, based on the stored data. */
export interface Plan {
  /**
   * Effects of the action, in sentences for a person to confirm. Absent: the action runs without a
   * confirmation.
   */
  readonly question?: string | undefined;
  readonly run: (work: Work) => Promise<ActionResult>;
}

/** Texts and display settings of an action. */
interface Texts {
  /** Label of the button, and title of the page. */
  readonly title: string;
  /** Description of the action, in sentences. The first sentence is the summary of the command. */
  readonly about: string;
  /** Example parameters of the command, as a person types them. */
  readonly example?: string;
  /** True if the action removes something. Its button is red, and the console requires a confirmation. */
  readonly isRisky?: true;
  /** True if the action can exceed the time limit of a page. The console then shows its progress. */
  readonly isLong?: true;
  /**
   * True if the console requires the typed id as a confirmation. The command takes the id as its argument.
   */
  readonly isTyped?: true;
}

/** An action of an operator. The admin command and the console are two views of it. */
export interface AnyAction extends Texts {
  readonly noun: Noun;
  readonly verb: Verb;
  readonly asks: Questions;
  /** True if the action applies to one entity, identified by its id. */
  readonly isOnOne: boolean;
  /** True if a person must confirm the action before it runs, in a terminal too. */
  readonly isAsked: boolean;
  /**
   * Checks the answers.
   *
   * @returns a function that reads the stored data and creates the plan. The id is empty for an action
   * without an entity
   * @throws {InvalidAnswers}
   */
  readonly prepare: (given: GivenValues) => (work: Work, id: string) => Promise<Plan>;
}

/** An action on one entity. */
export interface Action<Of extends object> extends AnyAction {
  /**
   * Returns true if the action applies to the entity in its present state.
   *
   * @param now milliseconds since the epoch
   */
  readonly isOffered: (of: Of, now: number) => boolean;
  /** Returns the initial values of the form. */
  readonly given: (of: Of) => GivenValues;
}

/**
 * Implementation of an action. `does` runs immediately. `plans` returns a plan, which a person may have to
 * confirm.
 */
type Doing<Asks extends Questions> = { readonly asks?: Asks } & (
  | { readonly does: (work: Work, id: string, asked: Answers<Asks>) => Promise<ActionResult> }
  | { readonly plans: (work: Work, id: string, asked: Answers<Asks>) => Promise<Plan> }
);

type NoQuestions = Readonly<Record<never, never>>;

/** Describes an action on one entity. Default of `isOffered`: always. */
export function onOne<Of extends object, const Asks extends Questions = NoQuestions>(
  { noun }: Entity<Of>,
  verb: Verb,
  description: Texts & Partial<Pick<Action<Of>, 'isOffered' | 'given'>> & Doing<Asks>,
): Action<Of> {
  const { isOffered = () => true, given = () => ({}) } = description;
  return { ...onAll(noun, verb, description), isOnOne: true, isOffered, given };
}

/** Describes an action without an existing entity, such as creating a client. */
export function onAll<const Asks extends Questions = NoQuestions>(
  noun: Noun,
  verb: Verb,
  { asks, ...description }: Texts & Doing<Asks>,
): AnyAction {
  const isAsked = 'plans' in description;
  const questions: Questions = asks ?? {};
  return {
    ...description,
    noun,
    verb,
    asks: questions,
    isOnOne: false,
    isAsked,
    prepare: (given) => {
      const answers = answersTo<Asks>(questions, given);
      // Calls STS in parallel. If STS fails, the action does not run.
      return async (work, id) =>
        (
          await Promise.all([
            isAsked
              ? description.plans(work, id, answers)
              : { run: (running: Work) => description.does(running, id, answers) },
            callerOf(work.deployment),
          ])
        )[0];
    },
  };
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
function answersTo<Asks extends Questions>(questions: Questions, given: GivenValues): Answers<Asks> {
  const errors: Record<string, string> = {};
  const answers: Record<string, unknown> = {};
  for (const [name, question] of Object.entries(questions)) {
    try {
      answers[name] = question.parse(given[name] ?? []);
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
  return answers as Answers<Asks>;
}
