import type { Noun, Verb } from './noun.ts';

/** An action on an entity, or a look at one or at all. `asked` answers the questions of the action, by their names. */
type StepOf<Of extends Noun> = {
  readonly noun: Of;
  readonly verb: Verb<Of> | 'show' | 'list';
  readonly id?: string;
  readonly asked?: Readonly<Record<string, string>>;
};

/** Something that helps next. The command and the console put it into their own words. */
export type NextStep =
  | { readonly [Of in Noun]: StepOf<Of> }[Noun]
  | { readonly do: 'check deployment' }
  | { readonly do: 'search'; readonly text: string }
  | { readonly do: 'start local run'; readonly stateDirectory: string };
