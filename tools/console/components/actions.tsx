import { useRequestContext } from 'hono/jsx-renderer';
import type { Action } from '../../operator/description/action.ts';
import { idOf } from '../../operator/description/entity.ts';
import { actionAddress, withQuery } from '../http/addresses.ts';
import type { Env } from '../http/environment.ts';
import { Form } from './form.tsx';

/**
 * A button for each available action. An action without questions that removes nothing runs immediately.
 */
export function ActionButtons(props: {
  readonly actions: readonly Action[];
  /** The entity. Absent for actions that are not on one entity. */
  readonly of?: object;
  /** Initial values of the actions' forms. */
  readonly given?: Readonly<Record<string, string | undefined>>;
}) {
  const { actions, of, given = {} } = props;
  const { now } = useRequestContext<Env>().var.console.deployment;
  const available = actions.filter(({ isAvailable }) => of === undefined || isAvailable(of, now()));
  return (
    <>
      {available.map(({ noun, verb, title, questions, needsConfirmation, isRisky }) => {
        const address = actionAddress(noun, verb, of && idOf({ noun }, of));
        return Object.keys(questions).length === 0 && !needsConfirmation && !isRisky ? (
          <Form action={address} label={title} />
        ) : (
          <a class={isRisky ? 'button risky' : 'button'} href={withQuery(address, given)}>
            {title}
          </a>
        );
      })}
    </>
  );
}

/** Buttons of actions on several entities. Each opens the form of its action. Shown once a row is selected. */
export function Selection({ actions }: { readonly actions: readonly Action[] }) {
  return (
    // The browser must not restore a selection by position: the rows may be others.
    <form id="selection" class="card row" autocomplete="off">
      {actions.map(
        ({ noun, verb, titleOfSeveral }) =>
          titleOfSeveral && (
            <button type="submit" formaction={actionAddress(noun, verb, '+')}>
              {titleOfSeveral}
            </button>
          ),
      )}
    </form>
  );
}
