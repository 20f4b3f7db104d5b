import { idName } from '../../../tools/operator/description/noun.ts';
import { everyAction } from '../operator/support/every-action.ts';
import { allCommands } from '../terminal/support/programs.ts';

const commands = new Map(
  allCommands()
    .filter(({ program }) => program === 'admin')
    .map(({ path, command }) => [path.join(' '), command]),
);

/** Returns the option of a question: `secretId` becomes `--secret-id`. */
const optionOf = (question: string) =>
  `--${question.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

test('no action is missing here', () => expect(everyAction.length).toBeGreaterThanOrEqual(27));

describe('an action is a command', () => {
  test.for(everyAction)('$noun $verb, with an option for each question', (action) => {
    const { noun, verb, questions, needsConfirmation, hasEntity } = action;
    const command = commands.get(`${noun} ${verb}`);
    const options = command?.options.map(({ long }) => long);
    expect(options).toEqual([
      ...Object.keys(questions).map(optionOf),
      ...(needsConfirmation ? ['--yes'] : []),
    ]);
    const argument = idName(noun).replace('_', '-');
    expect(command?.registeredArguments.map((each) => each.name())).toEqual(
      hasEntity || noun in questions ? [argument] : [],
    );
  });
});
