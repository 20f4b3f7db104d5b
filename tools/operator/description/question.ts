import { scopeDescriptions, scopes } from '../../../contract/routes.ts';
import { parseName, parseNewIdentifier, parseScopes } from '../parse-input.ts';

/** Something that an action asks for: an option of its command, and a field of its form. */
export interface Question<Value> {
  readonly label: string;
  /** What to enter. */
  readonly help: string;
  /** `choices` takes any number of the choices. A `flag` is given or not. */
  readonly input: 'text' | 'choices' | 'flag';
  /** What the help shows after the name of the option: `<id>`. */
  readonly placeholder: string;
  readonly isRequired: boolean;
  readonly choices?: readonly { readonly value: string; readonly about: string }[];
  /** The answer when nothing is given. */
  readonly defaultValue?: string | undefined;
  /** @throws {OperationError} of the kind `invalid`. The error says what is wrong and what is right */
  readonly parse: (given: readonly string[]) => Value;
}

export type Questions = Readonly<Record<string, Question<unknown>>>;

/** The answers to questions. */
export type Answers<Asks extends Questions> = {
  readonly [Name in keyof Asks]: ReturnType<Asks[Name]['parse']>;
};

/** What was given for each question, before it is checked. */
export type GivenValues = Readonly<Record<string, readonly string[] | undefined>>;

/** Asks for one text. */
export function asksText<Value>(
  label: string,
  help: string,
  parse: (text: string) => Value,
  placeholder = '<id>',
  defaultValue?: string,
) {
  return {
    label,
    help,
    input: 'text',
    placeholder,
    isRequired: defaultValue === undefined,
    defaultValue,
    parse: ([given = defaultValue ?? '']) => parse(given.trim()),
  } satisfies Question<Value>;
}

/** Asks whether the action does something more. */
export function asksWhether(label: string, help: string) {
  return {
    label,
    help,
    input: 'flag',
    placeholder: '',
    isRequired: false,
    parse: ([given]) => given === 'true',
  } satisfies Question<boolean>;
}

/** Asks for the organisation of a new client or file. */
export const asksOrganisation = asksText(
  'Organisation',
  'the id of the organisation, which cannot be changed later',
  (text) => parseNewIdentifier(text, 'organisation'),
);

/** Asks whether an organisation that was deleted is created again while its tokens may still work. */
export const asksRecreation = asksWhether(
  'Deleted organisation',
  'create the organisation again, although access tokens from before its deletion may still work, for the new files too',
);

export const asksName = asksText('Name', 'the display name, for people only', parseName, '<name>');

export const asksScopes = {
  label: 'Scopes',
  help: 'what the client may do: one or more scopes',
  input: 'choices',
  placeholder: '<scope>',
  isRequired: false,
  choices: scopes.map((scope) => ({ value: scope, about: scopeDescriptions[scope] })),
  parse: parseScopes,
} satisfies Question<ReturnType<typeof parseScopes>>;
