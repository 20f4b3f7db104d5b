import type { PropsWithChildren } from 'hono/jsx';
import { useRequestContext } from 'hono/jsx-renderer';
import type { Env } from '../http/environment.ts';
import { newFormToken } from '../http/sessions.ts';

interface FormProps {
  /** Path to which the form is sent. */
  readonly action: string;
  /** Text of the button: verb and object. */
  readonly label: string;
}

/** A form that changes something. It contains the token of its action. */
export function Form(
  props: PropsWithChildren<
    FormProps & {
      /** True for a red button: the action removes something. */
      readonly danger: boolean;
      /** Target of the link "Go back". */
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

/** A button that runs an action immediately. */
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

/** A read-only console shows a notice in its header and disables the buttons of its forms. */
function Submit({ label, kind }: { readonly label: string; readonly kind?: 'primary' | 'danger' }) {
  const { readOnly } = useRequestContext<Env>().var.console;
  return (
    <button type="submit" class={kind} disabled={readOnly}>
      {label}
    </button>
  );
}
