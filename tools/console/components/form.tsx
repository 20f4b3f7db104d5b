import type { PropsWithChildren } from 'hono/jsx';
import { useRequestContext } from 'hono/jsx-renderer';
import type { Env } from '../http/environment.ts';
import { newFormToken } from '../http/sessions.ts';

interface FormProps {
  /** The path that the form is sent to. */
  readonly action: string;
  /** The text of the button: the verb and its object. */
  readonly label: string;
}

/** A form that changes something. The form has the token of its action. */
export function Form(
  props: PropsWithChildren<
    FormProps & {
      /** Whether the button is red: for an action that takes something away. */
      readonly danger: boolean;
      /** Where the link "Go back" leads. */
      readonly back: string;
    }
  >,
) {
  const { action, label, danger, back, children } = props;
  return (
    <form method="post" action={action} class="form">
      <Token action={action} />
      {children}
      <div class="row">
        <Submit label={label} kind={danger ? 'danger' : 'primary'} />
        <a class="button" href={back}>
          Go back
        </a>
      </div>
    </form>
  );
}

/** One button that changes something when it is pressed. */
export function ActionButton({ action, label }: FormProps) {
  return (
    <form method="post" action={action} class="row">
      <Token action={action} />
      <Submit label={label} />
    </form>
  );
}

function Token({ action }: Pick<FormProps, 'action'>) {
  const { session } = useRequestContext<Env>().var;
  return <input type="hidden" name="token" value={newFormToken(session, action)} autocomplete="off" />;
}

/** A console that only reads says so in its header, and shows its forms with a button that cannot be pressed. */
function Submit({ label, kind }: { readonly label: string; readonly kind?: 'primary' | 'danger' }) {
  const { readOnly } = useRequestContext<Env>().var.console;
  return (
    <button type="submit" class={kind} disabled={readOnly}>
      {label}
    </button>
  );
}
