import type { PropsWithChildren } from 'hono/jsx';
import { useRequestContext } from 'hono/jsx-renderer';
import type { InputValues, Question, Questions } from '../../operator/description/question.ts';
import { capitalised } from '../../operator/text.ts';
import type { Env } from '../http/environment.ts';
import { newFormToken } from '../http/sessions.ts';

interface FormProps {
  /** Path to which the form is sent. */
  readonly action: string;
  /** Text of the button: verb and object. */
  readonly label: string;
  /** Kind of the button. `danger` is red: the action removes something. Default: plain. */
  readonly kind?: 'primary' | 'danger';
  /** Target of the link "Go back". Default: no link. */
  readonly back?: string;
}

/**
 * A form that changes something. It contains the token of its action. A read-only console shows a notice in its
 * header and disables the button.
 */
export function Form({ action, label, kind, back, children }: PropsWithChildren<FormProps>) {
  const { session, console } = useRequestContext<Env>().var;
  return (
    <form method="post" action={action} class={kind === undefined ? 'row' : 'form'}>
      <input type="hidden" name="token" value={newFormToken(session, action)} autocomplete="off" />
      {children}
      <div class="row">
        <button type="submit" class={kind} disabled={console.readOnly}>
          {label}
        </button>
        {back !== undefined && (
          <a class="button" href={back}>
            Go back
          </a>
        )}
      </div>
    </form>
  );
}

/** Values of a form and their errors, by field name. */
export interface EnteredValues {
  readonly values: InputValues;
  readonly errors: Readonly<Record<string, string>>;
}

/** The fields of questions, with the entered values and their errors. */
export function QuestionFields({
  questions,
  entered,
}: {
  readonly questions: Questions;
  readonly entered: EnteredValues;
}) {
  const { values, errors } = entered;
  return (
    <>
      {Object.entries(questions).map(([name, question]) => {
        const Field = question.input === 'text' ? TextField : Checks;
        return <Field name={name} question={question} values={values[name] ?? []} error={errors[name]} />;
      })}
    </>
  );
}

interface FieldProps {
  readonly name: string;
  readonly question: Question<unknown>;
  readonly values: readonly string[];
  readonly error: string | undefined;
}

function TextField(props: FieldProps) {
  const { name, question, values, error } = props;
  const { label, isRequired, defaultValue = '' } = question;
  return (
    <div class="field">
      <label for={`field-${name}`}>{label}</label>
      <input
        id={`field-${name}`}
        name={name}
        value={values[0] ?? defaultValue}
        required={isRequired}
        dir="auto"
        autocomplete="off"
        spellcheck={false}
        aria-invalid={error && 'true'}
        autofocus={error !== undefined}
        aria-describedby={`about-${name}`}
      />
      <About {...props} />
    </div>
  );
}

/** Check boxes. A flag is one check box. */
function Checks(props: FieldProps) {
  const { name, question, values } = props;
  const { label, input, choices = [{ value: 'true', about: '' }] } = question;
  return (
    <fieldset id={`field-${name}`} class="field" aria-describedby={`about-${name}`}>
      <legend>{label}</legend>
      {choices.map(({ value, about }) => (
        <label class="row check">
          <input type="checkbox" name={name} value={value} checked={values.includes(value)} />
          {input === 'flag' ? helpOf(question) : value}
          <span class="muted">{about}</span>
        </label>
      ))}
      <About {...props} />
    </fieldset>
  );
}

function About({ name, question, error }: FieldProps) {
  return (
    <div id={`about-${name}`}>
      {question.input !== 'flag' && <p class="muted">{helpOf(question)}</p>}
      {error !== undefined && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

/** The help of a question is written for a command-line option. A page shows it as a sentence. */
function helpOf({ help }: Question<unknown>): string {
  return `${capitalised(help)}.`;
}
