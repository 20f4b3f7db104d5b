import { createsClient } from '../../operator/clients/actions.ts';
import type { Action, AnyAction } from '../../operator/description/action.ts';
import { createsFile } from '../../operator/files/actions.ts';
import { actionAddress, withQuery } from '../http/addresses.ts';
import type { PageContext } from '../http/environment.ts';
import { ActionButton } from './form.tsx';

/** Returns the actions that are available for an entity. */
export function offered<Of extends object>(
  { var: { console } }: PageContext,
  actions: readonly Action<Of>[],
  of: Of,
): readonly AnyAction[] {
  return actions.filter(({ isOffered }) => isOffered(of, console.deployment.now()));
}

/** First actions in an empty deployment. */
export function FirstSteps({ about }: { readonly about: string }) {
  return (
    <>
      <p class="muted">{about}</p>
      <div class="row">
        <ActionButtons actions={[createsFile, createsClient]} />
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
      {actions.map(({ noun, verb, title, asks, isAsked, isRisky }) => {
        const address = actionAddress(noun, verb, id);
        return Object.keys(asks).length === 0 && !isAsked && !isRisky ? (
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
