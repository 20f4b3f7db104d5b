import { basename } from 'node:path';
import { Command } from 'commander';
import { shellWord } from '../operator/text.ts';

/**
 * Returns the words that start a tool: npx, an npm script, the built file, or the name of the installed tool.
 * Printed commands begin with these words, so the reader can copy them.
 *
 * @param path path of the script
 */
export function programWords(
  tool: 'admin' | 'upload',
  { npm_lifecycle_event }: NodeJS.ProcessEnv,
  path = '',
): string {
  if (npm_lifecycle_event === tool) {
    // Without -s, npm prints its own lines before the result.
    return `npm run -s ${tool} --`;
  }
  const name = `file-sync-${tool}`;
  if (npm_lifecycle_event === 'npx') {
    return `npx ${name}`;
  }
  return basename(path) === `${name}.mjs` ? `node ${name}.mjs` : name;
}

/**
 * Creates a command.
 *
 * @param description in sentences
 * @param examples parameters of the program as typed: `--local client list`
 */
export function createCommand(
  name: string,
  summary: string,
  description: string,
  ...examples: readonly string[]
): Command {
  const command = new Command(name).summary(summary).description(description);
  return examples.length === 0 ? command : addExamples(command, ...examples);
}

/** Adds examples to the help of a command. */
export function addExamples(command: Command, ...examples: readonly string[]): Command {
  return command.addHelpText('after', ({ command: shown }) => {
    const lines = examples.map((example) => `  ${rootOf(shown).name()} ${example}`);
    return ['', 'Examples:', ...lines].join('\n');
  });
}

/** Returns a command line with these parameters, quoted for a shell. */
export function typedLine(words: string, parameters: readonly string[]): string {
  return [words, ...parameters.map(shellWord)].join(' ');
}

/** Returns the program of a command. */
export function rootOf(command: Command): Command {
  return command.parent === null ? command : rootOf(command.parent);
}
