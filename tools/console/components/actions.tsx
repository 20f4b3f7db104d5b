import type { Action, AnyAction } from '../../operator/description/action.ts';
import { actionAddress, withQuery } from '../http/addresses.ts';
import { ActionButton } from './form.tsx';

/** A button for each action that makes sense for an entity. */
export function ActionButtons<Of extends object>(props: {
  readonly actions: readonly Action<Of>[];
  readonly of: Of;
  readonly id: string;
}) {
  const { actions, of, id } = props;
  return (
    <>
      {actions
        .filter(({ isOffered }) => isOffered(of))
        .map((action) => (
          <ButtonOf action={action} address={actionAddress(action.noun, action.verb, id)} />
        ))}
    </>
  );
}

/** A button for each action that is not on one entity. @param given what its form holds at first */
export function WorkButtons(props: {
  readonly actions: readonly AnyAction[];
  readonly given?: Readonly<Record<string, string | undefined>>;
}) {
  const { actions, given = {} } = props;
  return (
    <>
      {actions.map((action) => (
        <ButtonOf action={action} address={withQuery(actionAddress(action.noun, action.verb), given)} />
      ))}
    </>
  );
}

/** What asks for nothing and warns of nothing is done when the button is pressed. All else has a page. */
function ButtonOf({ action, address }: { readonly action: AnyAction; readonly address: string }) {
  const { title, asks, isAsked, warns, isRisky } = action;
  if (Object.keys(asks).length === 0 && !isAsked && warns === undefined) {
    return <ActionButton action={address} label={title} />;
  }
  return (
    <a class={isRisky ? 'button risky' : 'button'} href={address}>
      {title}
    </a>
  );
}
