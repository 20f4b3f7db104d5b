import { callerOf } from '../deployment/caller.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { InvalidInput, type OperationError } from '../errors.ts';
import { columnsOf, type Entity, type Fact, factsOf, idOf, type ListColumn, rowOf } from './entity.ts';
import type { NextStep } from './next-step.ts';
import type { Noun, Verb } from './noun.ts';
import type { Answers, GivenValues, Questions } from './question.ts';

/** What an action works with. */
export interface Work {
  readonly deployment: Deployment;
  readonly sleep: (milliseconds: number) => Promise<unknown>;
  /** Says how far the work is. The next sentence takes the place of this one. */
  readonly progress: (sentence: string) => void;
  /** Says something that stays. */
  readonly note: (sentence: string) => void;
  /** Whether counting before a confirmation took long enough. Default: everything is counted. */
  readonly isTimeUp?: () => boolean;
}

/** What came of an action. */
export interface ActionResult {
  /** What happened. */
  readonly says: string;
  /** What helps next. */
  readonly next?: readonly NextStep[];
  readonly shows: ShownResult;
  /** A new client secret, which is shown once, and the lines that set an application up with it. */
  readonly secret?: { readonly value: string; readonly setUp: string };
  /** The error that is reported although a part of the action was done. */
  readonly failure?: OperationError;
}

/** The result of an action: what `--json` prints, and what people see. */
export interface ShownResult {
  readonly json: object;
  /** The id of the entity, when the result is one entity. */
  readonly id?: string;
  readonly facts?: readonly Fact[];
  /** The rows, when the result is several entities. */
  readonly table?: {
    readonly noun: Noun;
    readonly columns: readonly ListColumn[];
    readonly rows: readonly (readonly (Fact | undefined)[])[];
  };
}

/** Shows one entity. @param json default: the entity */
export function one<Of extends object>(entity: Entity<Of>, of: Of, json: object = of): ShownResult {
  return { json, id: idOf(entity, of), facts: factsOf(entity, of) };
}

/** Shows several entities as a list. */
export function several<Of extends object>(entity: Entity<Of>, all: readonly Of[]): ShownResult {
  const rows = all.map((of) => rowOf(entity, of));
  return { json: { data: all }, table: { noun: entity.noun, columns: columnsOf(entity), rows } };
}

/** What an action would do, after a look at what is there. */
export interface Plan {
  /** What will happen, in sentences that a person confirms. Absent: no confirmation is asked for. */
  readonly question?: string | undefined;
  readonly run: (work: Work) => Promise<ActionResult>;
}

/** What people read about an action, and how an action is offered. */
interface Texts {
  /** What a button says. It is also the title of the page. */
  readonly title: string;
  /** What the action does, in sentences. The first one is the summary of the command. */
  readonly about: string;
  /** Parameters of the command, as a person types them. */
  readonly example?: string;
  /** Takes something away: its button is red, and the console asks for a confirmation. */
  readonly isRisky?: true;
  /** Can take longer than a page may: the console shows the progress. */
  readonly isLong?: true;
  /** In the console, a person types the id to confirm. The command takes the id as its argument. */
  readonly isTyped?: true;
}

/** Something that an operator can do. The admin command and the console are two views of it. */
export interface AnyAction extends Texts {
  readonly noun: Noun;
  readonly verb: Verb;
  readonly asks: Questions;
  /** Whether the action is done to one entity, which has an id. */
  readonly isOnOne: boolean;
  /** Whether people confirm the action before it runs, in a terminal too. */
  readonly isAsked: boolean;
  /**
   * Checks the answers.
   *
   * @returns a function that reads what is stored and makes the plan. The id of an action that is not on one entity is empty
   * @throws {InvalidAnswers}
   */
  readonly prepare: (given: GivenValues) => (work: Work, id: string) => Promise<Plan>;
}

/** Something that an operator can do to one entity. */
export interface Action<Of extends object> extends AnyAction {
  /** Whether the action makes sense for the entity as it is now. @param now milliseconds since the epoch */
  readonly isOffered: (of: Of, now: number) => boolean;
  /** What the fields of the form hold at first. */
  readonly given: (of: Of) => GivenValues;
}

/** How an action is done: immediately, or by a plan that a person may have to confirm. */
type Doing<Asks extends Questions> = { readonly asks?: Asks } & (
  | { readonly does: (work: Work, id: string, asked: Answers<Asks>) => Promise<ActionResult> }
  | { readonly plans: (work: Work, id: string, asked: Answers<Asks>) => Promise<Plan> }
);

type NoQuestions = Readonly<Record<never, never>>;

/** Describes an action on one entity. Without `isOffered`, the action is always offered. */
export function onOne<Of extends object, const Asks extends Questions = NoQuestions>(
  { noun }: Entity<Of>,
  verb: Verb,
  description: Texts & Partial<Pick<Action<Of>, 'isOffered' | 'given'>> & Doing<Asks>,
): Action<Of> {
  const { isOffered = () => true, given = () => ({}) } = description;
  return { ...onAll(noun, verb, description), isOnOne: true, isOffered, given };
}

/** Describes an action for which no entity is chosen first, such as creating a client. */
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
      // STS is asked meanwhile. If it does not answer, nothing is changed.
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

/** What is wrong with the answers, by the names of the questions. */
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
