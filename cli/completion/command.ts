import { Argument, Command } from 'commander';
import type { TextStream } from '../terminal/output.ts';
import { programName, type Tool } from '../terminal/typed-words.ts';
import { describeProgram } from './describe.ts';
import { completionScript, type Shell, shells } from './scripts.ts';

/**
 * Makes the command that prints the completion script of a tool.
 *
 * @param program the program that is completed
 */
export function completionCommand(tool: Tool, program: () => Command, stdout: TextStream): Command {
  const name = programName(tool);
  return new Command('completion')
    .summary('print a script that completes commands and options')
    .description(
      `Print a script for a shell. It completes the commands and options of ${name} when you press Tab. Run npm link once to install that name.`,
    )
    .addArgument(new Argument('<shell>', 'complete in this shell').choices(shells))
    .addHelpText('after', `\n${installation(name)}`)
    .action((shell: Shell) => {
      stdout.write(completionScript(shell, name, describeProgram(program())));
    });
}

function installation(name: string): string {
  return `Put the line of your shell into its start file:
  ~/.bashrc                   eval "$(${name} completion bash)"
  ~/.zshrc, after compinit    source <(${name} completion zsh)
  ~/.config/fish/config.fish  ${name} completion fish | source`;
}
