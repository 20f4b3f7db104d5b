import type { Child } from 'hono/jsx';

interface Props {
  readonly name: string;
  readonly label: string;
  readonly help: Child;
  readonly error?: string | undefined;
}

/** A field for a secret. What was entered is never shown again. */
export function SecretField(props: Props) {
  return (
    <Labelled {...props}>
      <input
        id={`field-${props.name}`}
        name={props.name}
        type="password"
        autocomplete="off"
        spellcheck={false}
        required
        aria-invalid={props.error === undefined ? undefined : 'true'}
        aria-describedby={`about-${props.name}`}
      />
    </Labelled>
  );
}

/** A field for several lines. */
export function TextArea({ value, ...props }: Props & { readonly value?: string | undefined }) {
  return (
    <Labelled {...props}>
      <textarea
        id={`field-${props.name}`}
        name={props.name}
        rows={5}
        dir="auto"
        spellcheck={false}
        aria-describedby={`about-${props.name}`}
      >
        {value}
      </textarea>
    </Labelled>
  );
}

/** A field for a file. Its form is sent as multipart/form-data. */
export function FileField(props: Props) {
  return (
    <Labelled {...props}>
      <input
        id={`field-${props.name}`}
        name={props.name}
        type="file"
        aria-invalid={props.error === undefined ? undefined : 'true'}
        aria-describedby={`about-${props.name}`}
      />
    </Labelled>
  );
}

function Labelled({ name, label, help, error, children }: Props & { readonly children?: Child }) {
  return (
    <div class="field">
      <label for={`field-${name}`}>{label}</label>
      {children}
      <div id={`about-${name}`}>
        <p class="hint">{help}</p>
        {error !== undefined && <p class="error">{error}</p>}
      </div>
    </div>
  );
}
