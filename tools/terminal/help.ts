import type { Command } from 'commander';
import { shellWord } from '../operator/text.ts';

/** What the reader types to run a tool, so that a command that is printed can be typed: an npm script, or its name. */
export function programWords(
  tool: 'admin' | 'upload',
  { npm_lifecycle_event }: Readonly<Record<string, string | undefined>>,
): string {
  // Without -s, npm prints lines of its own before the result.
  return npm_lifecycle_event === tool ? `npm run -s ${tool} --` : `file-sync-${tool}`;
}

/** Examples fit a terminal of this width, however wide the reader's is. */
const exampleWidth = 80;

/**
 * Adds examples to the help of a command.
 *
 * @param examples parameters of the program, as they are typed: `--local client list`
 */
export function addExamples(command: Command, ...examples: readonly string[]): Command {
  return command.addHelpText('after', ({ command: shown }) => `\n${exampleText(shown, examples)}`);
}

/** The section of the examples, without a final line break. */
export function exampleText(command: Command, examples: readonly string[]): string {
  const lines = examples.map((example) => wrapCommand(`${rootOf(command).name()} ${example}`));
  return [examples.length === 1 ? 'Example:' : 'Examples:', ...lines].join('\n');
}

/** Breaks a command between its words, so that the lines can be copied into a shell as they are. */
export function wrapCommand(line: string): string {
  // An option stays with its value.
  const words = line.match(/--[\w-]+ (?:"[^"]*"|[^\s"-]\S*)|"[^"]*"|\S+/g) ?? [];
  const lines: string[] = [];
  let current = ' ';
  for (const word of words) {
    // Two characters for the space and the backslash.
    if (current.length + 1 + word.length > exampleWidth - 2) {
      lines.push(`${current} \\`);
      current = '   ';
    }
    current += ` ${word}`;
  }
  return [...lines, current].join('\n');
}

/** A list of terms with their meanings, such as the exit codes: one below the other, wrapped. */
export function termLines(terms: readonly (readonly [string | number, string])[]): string {
  const width = Math.max(...terms.map(([term]) => String(term).length));
  return terms
    .map(([term, meaning]) => wrapText(`  ${String(term).padEnd(width)}  ${meaning}`, width + 4))
    .join('\n');
}

/** Wraps a text at 80 columns. */
function wrapText(text: string, indent: number): string {
  const lines: string[] = [];
  let rest = text;
  while (rest.length > exampleWidth) {
    const at = rest.lastIndexOf(' ', exampleWidth);
    lines.push(rest.slice(0, at));
    rest = `${' '.repeat(indent)}${rest.slice(at + 1)}`;
  }
  return [...lines, rest].join('\n');
}

/** The command line that runs a command, as the reader types it: the program and the names of the commands. */
export function commandLine(command: Command): string {
  return command.parent === null ? command.name() : `${commandLine(command.parent)} ${command.name()}`;
}

/** A command line with these parameters, quoted where a shell needs it. */
export function typedLine(words: string, parameters: readonly string[]): string {
  return [words, ...parameters.map(shellWord)].join(' ');
}

/** The program that a command belongs to. */
export function rootOf(command: Command): Command {
  return command.parent === null ? command : rootOf(command.parent);
}
