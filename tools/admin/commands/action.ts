import { type Command, Option } from 'commander';
import {
  type Action,
  type ActionContext,
  type ActionResult,
  prepareSeveral,
} from '../../operator/description/action.ts';
import { idName } from '../../operator/description/noun.ts';
import type { InputValues, Question } from '../../operator/description/question.ts';
import { createCommand } from '../../terminal/help.ts';
import { optionOf } from '../../terminal/next-steps.ts';
import { confirm } from '../../terminal/question.ts';
import { act, type CommandFactory, type Session } from './session.ts';

type Flags = Readonly<Record<string, string | readonly string[] | true | undefined>>;

/** Creates the command of an action: `client revoke CLIENT_ID`. */
export function actionCommand(action: Action): CommandFactory {
  return (context) => {
    const { noun, verb, about, example, questions, needsConfirmation, hasEntity, titleOfSeveral } = action;
    const examples = example === undefined ? [] : [example];
    const command = createCommand(verb, summaryOf(about), about, ...examples);
    const id = idName(noun).replace('_', '-');
    if (hasEntity) {
      command.argument(`<${id}${titleOfSeveral === undefined ? '' : '...'}>`);
    } else if (noun in questions) {
      command.argument(`[${id}]`);
    }
    for (const [name, question] of Object.entries(questions)) {
      command.addOption(optionFor(name, question));
    }
    if (needsConfirmation) {
      command.option('--yes', 'skip the confirmation');
    }
    return command.action(act(context, (session) => run(session, action, command)));
  };
}

/** Returns the first sentence as a summary: in lower case, without a full stop. */
function summaryOf(about: string): string {
  const [sentence = ''] = about.split(/\.(?: |$)/);
  return `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
}

function optionFor(
  name: string,
  { help, placeholder, isRequired, isRepeatable, defaultValue, choices }: Question<unknown>,
): Option {
  const option = new Option([optionOf(name), placeholder].join(' ').trim(), help);
  if (defaultValue !== undefined) {
    return option.default(defaultValue);
  }
  if (choices !== undefined) {
    option.choices(choices.map(({ value }) => value));
  }
  if (choices !== undefined || isRepeatable) {
    option.argParser((value: string, before: readonly string[] = []) => [...before, value]);
  }
  return option.makeOptionMandatory(isRequired);
}

async function run(session: Session, action: Action, command: Command): Promise<void> {
  const [id = ''] = command.args;
  const { yes, ...flags } = command.opts<Flags>();
  // A question with the name of the noun may be answered by the argument.
  const plan = prepareSeveral(action, givenIn({ [action.noun]: id, ...flags }), command.args);
  const { isTyped } = action;
  const { context, open, progress, note } = session;
  const { sleep } = context;
  const work: ActionContext = { deployment: await open(), sleep, progress: progress.update, note };
  const { question, run: runPlan } = await plan(work);
  progress.finish();
  if (question !== undefined) {
    await (yes ? note(question) : confirm(question, false, context, isTyped ? id : undefined));
  }
  await show(session, await runPlan(work));
}

/** Returns the typed values, by question name. */
function givenIn(flags: Flags): InputValues {
  return Object.fromEntries(Object.entries(flags).map(([name, value]) => [name, [value].flat().map(String)]));
}

async function show(
  { output, note, show: showView }: Session,
  { message, view, secret, next = [], failure }: ActionResult,
): Promise<void> {
  await showView(view);
  if (secret !== undefined && !output.json) {
    output.stdout.write(`\n${secret.setUp}`);
  }
  // Without an entity, the sentence is the result.
  if (view.entity === undefined && !output.json) {
    output.stdout.write(`${message}\n`);
  } else {
    note(message);
  }
  if (next.length > 0) {
    note('Next steps:', next);
  }
  if (failure !== undefined) {
    throw failure;
  }
}
