import type { Child, PropsWithChildren } from 'hono/jsx';
import { useRequest } from './request.ts';

interface FormProps {
  /** The path that the form is sent to. */
  readonly action: string;
  /** What the button says: the verb and what it does. */
  readonly label: string;
  /** For what cannot be undone. */
  readonly danger?: boolean;
  /** Where the person goes who does not want this. */
  readonly cancel?: string;
  /** What the link there says. Default: Cancel. */
  readonly cancelLabel?: string;
  /** Hidden fields. */
  readonly fields?: Readonly<Record<string, string>>;
}

/** A form that changes something: it has the token of its action. A console that only reads shows it without a button. */
export function Form(props: PropsWithChildren<FormProps>) {
  const { action, label, danger, cancel, cancelLabel = 'Cancel', fields, children } = props;
  return (
    <form method="post" action={action} class="form">
      <FormFields action={action} fields={fields} />
      {children}
      <div class="buttons">
        <Submit label={label} kind={danger ? 'danger' : 'primary'} />
        {cancel !== undefined && (
          <a class="button" href={cancel}>
            {cancelLabel}
          </a>
        )}
      </div>
    </form>
  );
}

/** One button that changes something when it is pressed. */
export function ActionButton({ action, label, fields, danger }: Omit<FormProps, 'cancel' | 'cancelLabel'>) {
  return (
    <form method="post" action={action} class="inline">
      <FormFields action={action} fields={fields} />
      <Submit label={label} kind={danger ? 'danger' : 'plain'} />
    </form>
  );
}

function FormFields({
  action,
  fields = {},
}: Pick<FormProps, 'action'> & { fields?: FormProps['fields'] | undefined }) {
  return (
    <>
      <input type="hidden" name="token" value={useRequest().formToken(action)} autocomplete="off" />
      {Object.entries(fields).map(([name, value]) => (
        <input type="hidden" name={name} value={value} autocomplete="off" />
      ))}
    </>
  );
}

function Submit({ label, kind }: { readonly label: string; readonly kind: 'primary' | 'danger' | 'plain' }) {
  const { readOnly } = useRequest();
  return (
    <>
      <button type="submit" class={kind} disabled={readOnly}>
        {label}
      </button>
      {readOnly && <span class="hint">This console only reads.</span>}
    </>
  );
}

/** A switch that is on or off, and is changed by the operation behind `action`. */
export function Switch({
  action,
  label,
  on,
  fields,
}: Pick<FormProps, 'action' | 'label' | 'fields'> & { readonly on: boolean }) {
  const { readOnly } = useRequest();
  return (
    <form method="post" action={action} class="inline">
      <FormFields action={action} fields={fields} />
      <button
        type="submit"
        role="switch"
        class="switch"
        aria-checked={on ? 'true' : 'false'}
        disabled={readOnly}
      >
        <span class="track" aria-hidden="true" />
        {label}
      </button>
    </form>
  );
}

interface FieldProps {
  readonly name: string;
  readonly label: string;
  /** What to enter. */
  readonly help?: Child;
  readonly error?: string | undefined;
}

/** A field of text with its label, help and error. What was entered stays. */
export function Field({
  name,
  label,
  help,
  error,
  value,
  required,
  placeholder,
}: FieldProps & {
  readonly value?: string | undefined;
  readonly required?: boolean;
  /** An example. What must be known is in `help`. */
  readonly placeholder?: string;
}) {
  return (
    <div class="field">
      <label for={`field-${name}`}>{label}</label>
      <input
        id={`field-${name}`}
        name={name}
        value={value ?? ''}
        required={required}
        placeholder={placeholder}
        dir="auto"
        autocomplete="off"
        spellcheck={false}
        aria-invalid={error === undefined ? undefined : 'true'}
        aria-describedby={describedBy(name, help, error)}
      />
      <About name={name} help={help} error={error} />
    </div>
  );
}

/** A choice of one. */
export function Choice({
  name,
  label,
  help,
  error,
  value,
  options,
}: FieldProps & {
  readonly value?: string | undefined;
  readonly options: readonly { readonly value: string; readonly label: string }[];
}) {
  return (
    <div class="field">
      <label for={`field-${name}`}>{label}</label>
      <select id={`field-${name}`} name={name} aria-describedby={describedBy(name, help, error)}>
        {options.map((option) => (
          <option value={option.value} selected={option.value === (value ?? '')}>
            {option.label}
          </option>
        ))}
      </select>
      <About name={name} help={help} error={error} />
    </div>
  );
}

/** A choice of any number. */
export function Checks({
  name,
  label,
  help,
  error,
  values,
  options,
}: FieldProps & {
  readonly values: readonly string[];
  readonly options: readonly { readonly value: string; readonly label: string; readonly about?: string }[];
}) {
  return (
    <fieldset class="field" aria-describedby={describedBy(name, help, error)}>
      <legend>{label}</legend>
      {options.map((option) => (
        <label class="check">
          <input type="checkbox" name={name} value={option.value} checked={values.includes(option.value)} />
          {option.label}
          {option.about !== undefined && <span class="hint">{option.about}</span>}
        </label>
      ))}
      <About name={name} help={help} error={error} />
    </fieldset>
  );
}

function describedBy(name: string, help: Child | undefined, error: string | undefined): string | undefined {
  return help === undefined && error === undefined ? undefined : `about-${name}`;
}

function About({ name, help, error }: { name: string; help?: Child; error?: string | undefined }) {
  return describedBy(name, help, error) === undefined ? null : (
    <div id={`about-${name}`}>
      {help !== undefined && <p class="hint">{help}</p>}
      {error !== undefined && <p class="error">{error}</p>}
    </div>
  );
}

/** Says above a form that something in it is wrong. The script puts the focus here. */
export function FormErrors({ errors }: { readonly errors: Readonly<Record<string, string>> }) {
  const entries = Object.entries(errors);
  if (entries.length === 0) {
    return null;
  }
  return (
    <div class="problem" role="alert" tabindex={-1} data-focus>
      <p>Nothing was saved. Please correct:</p>
      <ul>
        {entries.map(([name, message]) => (
          <li>
            <a href={`#field-${name}`}>{message}</a>
          </li>
        ))}
      </ul>
    </div>
  );
}
