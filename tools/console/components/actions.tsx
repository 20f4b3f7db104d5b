import { clientCreation } from '../../operator/clients/actions.ts';
import type { Action, AnyAction } from '../../operator/description/action.ts';
import { fileCreation } from '../../operator/files/actions.ts';
import { actionAddress, withQuery } from '../http/addresses.ts';
import type { PageContext } from '../http/environment.ts';
import { ActionButton } from './form.tsx';

/** Returns the actions that are available for an entity. */
export function availableActions<Of extends object>(
  { var: { console } }: PageContext,
  actions: readonly Action<Of>[],
  of: Of,
): readonly AnyAction[] {
  return actions.filter(({ isAvailable }) => isAvailable(of, console.deployment.now()));
}

/** First actions in an empty deployment. */
export function FirstSteps({ about }: { readonly about: string }) {
  return (
    <>
      <p class="muted">{about}</p>
      <div class="row">
        <ActionButtons actions={[fileCreation, clientCreation]} />
      </div>
    </>
  );
}

/** A button for each action. An action without questions that removes nothing runs immediately. */
export function ActionButtons(props: {
  readonly actions: readonly AnyAction[];
  /** Id of the entity. Absent for actions that are not on one entity. */
  readonly id?: string;
  /** Initial values of the actions' forms. */
  readonly given?: Readonly<Record<string, string | undefined>>;
}) {
  const { actions, id, given = {} } = props;
  return (
    <>
      {actions.map(({ noun, verb, title, questions, needsConfirmation, isRisky }) => {
        const address = actionAddress(noun, verb, id);
        return Object.keys(questions).length === 0 && !needsConfirmation && !isRisky ? (
          <ActionButton action={address} label={title} />
        ) : (
          <a class={isRisky ? 'button risky' : 'button'} href={withQuery(address, given)}>
            {title}
          </a>
        );
      })}
    </>
  );
}

/** Buttons for those actions that are on several entities. Each opens the form of its action. Shown once a row is selected. */
export function Selection({ actions }: { readonly actions: readonly AnyAction[] }) {
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
