import type { Question, Questions } from '../../operator/description/question.ts';
import { Checks, Field } from './form.tsx';

/** The fields of the questions of an action. */
export function QuestionFields({ asks }: { readonly asks: Questions }) {
  return (
    <>
      {Object.entries(asks).map(([name, question]) => (
        <QuestionField name={name} question={question} />
      ))}
    </>
  );
}

function QuestionField({ name, question }: { readonly name: string; readonly question: Question<unknown> }) {
  const { label, help, input, isRequired, usual, choices = [] } = question;
  const sentence = `${help.charAt(0).toUpperCase()}${help.slice(1)}.`;
  switch (input) {
    case 'text':
      return <Field name={name} label={label} help={sentence} required={isRequired} usual={usual} />;
    case 'flag':
      return <Checks name={name} label={label} options={[{ value: 'true', label: sentence }]} />;
    case 'choices':
      return (
        <Checks
          name={name}
          label={label}
          help={sentence}
          options={choices.map(({ value, about }) => ({ value, label: value, about }))}
        />
      );
  }
}
