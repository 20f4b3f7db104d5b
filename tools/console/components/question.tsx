import { useContext } from 'hono/jsx';
import type { Question, Questions } from '../../operator/description/question.ts';
import { EnteredScope } from './form.tsx';

/** The fields of questions, with what was entered and what is wrong with it. */
export function QuestionFields({ asks }: { readonly asks: Questions }) {
  return (
    <>
      {Object.entries(asks).map(([name, question]) =>
        question.input === 'text' ? (
          <TextField name={name} question={question} />
        ) : (
          <Checks name={name} question={question} />
        ),
      )}
    </>
  );
}

interface FieldProps {
  readonly name: string;
  readonly question: Question<unknown>;
}

function TextField({ name, question }: FieldProps) {
  const { label, isRequired, usual = '' } = question;
  const { values, errors } = useContext(EnteredScope);
  return (
    <div class="field">
      <label for={`field-${name}`}>{label}</label>
      <input
        id={`field-${name}`}
        name={name}
        value={values[name]?.[0] ?? usual}
        required={isRequired}
        dir="auto"
        autocomplete="off"
        spellcheck={false}
        aria-invalid={errors[name] === undefined ? undefined : 'true'}
        autofocus={name === Object.keys(errors)[0]}
        aria-describedby={`about-${name}`}
      />
      <About name={name} question={question} />
    </div>
  );
}

/** A choice of any number. A flag is one choice. */
function Checks({ name, question }: FieldProps) {
  const { label, input, choices = [{ value: 'true', about: '' }] } = question;
  const chosen = useContext(EnteredScope).values[name] ?? [];
  return (
    <fieldset id={`field-${name}`} class="field" aria-describedby={`about-${name}`}>
      <legend>{label}</legend>
      {choices.map(({ value, about }) => (
        <label class="row check">
          <input type="checkbox" name={name} value={value} checked={chosen.includes(value)} />
          {input === 'flag' ? helpOf(question) : value}
          <span class="muted">{about}</span>
        </label>
      ))}
      <About name={name} question={question} />
    </fieldset>
  );
}

function About({ name, question }: FieldProps) {
  const error = useContext(EnteredScope).errors[name];
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

/** Help is written for an option of a command. A page has it as a sentence. */
function helpOf({ help }: Question<unknown>): string {
  return `${help.charAt(0).toUpperCase()}${help.slice(1)}.`;
}
