import type { Noun, Verb } from './noun.ts';

/**
 * An action, or a view of one entity or of a list. `answers` contains answers to the questions of the action,
 * by the names of the questions.
 */
type StepOf<Of extends Noun> = {
  readonly noun: Of;
  readonly verb: Verb<Of> | 'show' | 'list' | 'guide';
  readonly id?: string | undefined;
  readonly answers?: Readonly<Record<string, string>>;
};

/** A suggested next step. The command shows a command line, and the console shows a link. */
export type NextStep =
  | { readonly [Of in Noun]: StepOf<Of> }[Noun]
  | { readonly do: 'check deployment' }
  | { readonly do: 'search'; readonly text: string }
  | { readonly do: 'start local run'; readonly stateDirectory: string };
