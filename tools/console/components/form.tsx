import { createContext, type PropsWithChildren } from 'hono/jsx';
import { useRequest } from './request.ts';

/** What a form holds, and what is wrong with it, each by the name of its field. */
export interface Entered {
  readonly values: Readonly<Record<string, readonly string[] | undefined>>;
  readonly errors: Readonly<Record<string, string>>;
}

export const nothingEntered: Entered = { values: {}, errors: {} };

/** Fields take what was entered from their form. */
export const EnteredScope = createContext<Entered>(nothingEntered);

interface FormProps {
  /** The path that the form is sent to. */
  readonly action: string;
  /** What the button says: the verb and what it does. */
  readonly label: string;
  /** For what cannot be undone. */
  readonly danger?: boolean | undefined;
  /** Hidden fields. */
  readonly fields?: Readonly<Record<string, string>> | undefined;
}

/** A form that changes something: it has the token of its action. */
export function Form(
  props: PropsWithChildren<
    FormProps & {
      /** Where the person goes who does not want this. */
      readonly back: string;
      readonly entered?: Entered | undefined;
    }
  >,
) {
  const { action, label, danger, fields, back, entered = nothingEntered, children } = props;
  return (
    <EnteredScope.Provider value={entered}>
      <form method="post" action={action} class="form">
        <HiddenFields action={action} fields={fields} />
        {children}
        <div class="row">
          <Submit label={label} kind={danger ? 'danger' : 'primary'} />
          <a class="button" href={back}>
            Go back
          </a>
        </div>
      </form>
    </EnteredScope.Provider>
  );
}

/** One button that changes something when it is pressed. */
export function ActionButton({ action, label, fields }: FormProps) {
  return (
    <form method="post" action={action} class="inline">
      <HiddenFields action={action} fields={fields} />
      <Submit label={label} />
    </form>
  );
}

function HiddenFields({ action, fields = {} }: Pick<FormProps, 'action' | 'fields'>) {
  const token = useRequest().formToken(action);
  return (
    <>
      {Object.entries({ token, ...fields }).map(([name, value]) => (
        <input type="hidden" name={name} value={value} autocomplete="off" />
      ))}
    </>
  );
}

/** A console that only reads shows its forms with a button that cannot be pressed. */
function Submit({ label, kind }: { readonly label: string; readonly kind?: 'primary' | 'danger' }) {
  const { readOnly } = useRequest();
  return (
    <>
      <button type="submit" class={kind} disabled={readOnly}>
        {label}
      </button>
      {readOnly && <span class="muted">This console only reads.</span>}
    </>
  );
}
