import { Command, Option } from 'commander';
import {
  type ActionContext,
  type ActionResult,
  type AnyAction,
  prepareSeveral,
} from '../../operator/description/action.ts';
import { nouns } from '../../operator/description/noun.ts';
import type { InputValues, Question } from '../../operator/description/question.ts';
import { showResult } from '../../terminal/entity.ts';
import { addExamples } from '../../terminal/help.ts';
import { nextLines, optionOf } from '../../terminal/next-steps.ts';
import { note } from '../../terminal/output.ts';
import { createProgress } from '../../terminal/progress.ts';
import { confirm } from '../../terminal/question.ts';
import { act, type CommandFactory, type Session } from './session.ts';

type Flags = Readonly<Record<string, string | readonly string[] | true | undefined>>;

/** Creates the command of an action: `client revoke CLIENT_ID`. */
export function actionCommand(action: AnyAction): CommandFactory {
  return (context) => {
    const { noun, verb, about, example, questions, needsConfirmation, hasEntity, titleOfSeveral } = action;
    const command = new Command(verb).summary(summaryOf(about)).description(about);
    const id = nouns[noun].id.replace('_', '-');
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
    if (example !== undefined) {
      addExamples(command, example);
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
  { help, placeholder, isRequired, defaultValue, choices }: Question<unknown>,
): Option {
  const option = new Option([optionOf(name), placeholder].join(' ').trim(), help);
  if (defaultValue !== undefined) {
    return option.default(defaultValue);
  }
  if (choices !== undefined) {
    return option
      .choices(choices.map(({ value }) => value))
      .argParser((value: string, before: readonly string[] = []) => [...before, value]);
  }
  return option.makeOptionMandatory(isRequired);
}

async function run(session: Session, action: AnyAction, command: Command): Promise<void> {
  const [id = ''] = command.args;
  const { yes, ...flags } = command.opts<Flags>();
  // A question with the name of the noun may be answered by the argument.
  const plan = prepareSeveral(action, givenIn({ [action.noun]: id, ...flags }), command.args);
  const { isTyped } = action;
  const { context, open, output } = session;
  const progress = createProgress(output.stderr, (sentence: string) => sentence);
  const work: ActionContext = {
    deployment: await open(),
    sleep: context.sleep,
    progress: progress.update,
    note: (sentence) => {
      progress.finish();
      note(output, sentence);
    },
  };
  const { question, run: runPlan } = await plan(work).finally(progress.finish);
  if (question !== undefined) {
    await (yes ? note(output, question) : confirm(question, false, context, isTyped ? id : undefined));
  }
  show(session, await runPlan(work).finally(progress.finish));
}

/** Returns the typed values, by question name. */
function givenIn(flags: Flags): InputValues {
  return Object.fromEntries(Object.entries(flags).map(([name, value]) => [name, [value].flat().map(String)]));
}

function show({ output, typed }: Session, { message, view, secret, next = [], failure }: ActionResult): void {
  showResult(output, view);
  if (secret !== undefined && !output.json) {
    output.stdout.write(`\n${secret.setUp}`);
  }
  // Without facts, the sentence is the result.
  if (view.facts === undefined && view.table === undefined && !output.json) {
    output.stdout.write(`${message}\n`);
  } else {
    note(output, message);
  }
  if (next.length > 0) {
    note(output, `Next steps:${nextLines(next, typed)}`);
  }
  if (failure !== undefined) {
    throw failure;
  }
}
