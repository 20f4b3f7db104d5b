import { scopeDescriptions, scopes } from '../../../contract/routes.ts';
import { parseAddresses, parseDuration, parseName, parseNewIdentifier, parseScopes } from '../parse-input.ts';

/** An input of an action: an option of its command, and a field of its form. */
export interface Question<Value> {
  readonly label: string;
  /** Description of the expected input. */
  readonly help: string;
  /** `choices` accepts any number of the choices. A `flag` is set or not. */
  readonly input: 'text' | 'choices' | 'flag';
  /** Placeholder after the name of the option in the help: `<id>`. */
  readonly placeholder: string;
  readonly isRequired: boolean;
  /** True for a text that the command accepts several times, as several values. */
  readonly isRepeatable?: true;
  readonly choices?: readonly { readonly value: string; readonly about: string }[];
  /** Answer if the input is empty. */
  readonly defaultValue?: string | undefined;
  /** Parses the input. @throws {OperationError} of the kind `invalid`, with the problem and the expected format */
  readonly parse: (given: readonly string[]) => Value;
}

export type Questions = Readonly<Record<string, Question<unknown>>>;

/** The answers to questions. */
export type Answers<Q extends Questions> = {
  readonly [Name in keyof Q]: ReturnType<Q[Name]['parse']>;
};

/** Input for each question, before it is checked. */
export type InputValues = Readonly<Record<string, readonly string[] | undefined>>;

/** Describes a text input. */
export function textQuestion<Value>(
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

/** Describes a text input that may stay empty. */
export function optionalQuestion(label: string, help: string, placeholder?: string) {
  const question = textQuestion(label, help, (text) => text || undefined, placeholder);
  return { ...question, isRequired: false };
}

/** Asks for the seconds until a new client secret ends. */
export const endsQuestion = {
  ...optionalQuestion(
    'End of the new secret',
    'time until the new secret ends and is rejected, such as 180d: 1s to 365d (default: it does not end)',
    '<time>',
  ),
  parse: ([given]: readonly string[]) => (given ? parseDuration(given.trim(), 1) : undefined),
};

/** Describes a flag for an additional effect of the action. */
export function flagQuestion(label: string, help: string) {
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
export const organisationQuestion = textQuestion(
  'Organisation',
  'the id of the organisation, which cannot be changed later',
  (text) => parseNewIdentifier(text, 'organisation'),
);

/** Asks for permission to erase content immediately. */
export const eraseQuestion = flagQuestion(
  'Erasure',
  'erase the content immediately, such as on request of a person (GDPR). The deletion then cannot be undone',
);

export const nameQuestion = textQuestion('Name', 'the display name, for people only', parseName, '<name>');

export const scopesQuestion = {
  label: 'Scopes',
  help: 'permissions of the client: one or more scopes',
  input: 'choices',
  placeholder: '<scope>',
  isRequired: false,
  choices: scopes.map((scope) => ({ value: scope, about: scopeDescriptions[scope] })),
  parse: parseScopes,
} satisfies Question<ReturnType<typeof parseScopes>>;

/** Asks for the ranges of addresses of a client. */
export const addressesQuestion = {
  label: 'Allowed from',
  help: 'IP addresses from which the client may send requests: at most eight ranges such as 203.0.113.0/24, or any',
  input: 'text',
  placeholder: '<range>',
  isRequired: true,
  isRepeatable: true,
  parse: parseAddresses,
} satisfies Question<ReturnType<typeof parseAddresses>>;

/** Asks for the ranges of addresses of a new client. An empty input allows every address. */
export const newAddressesQuestion = {
  ...addressesQuestion,
  isRequired: false,
  parse: (given) => (given.join('') === '' ? undefined : parseAddresses(given)),
} satisfies Question<ReturnType<typeof parseAddresses>>;
