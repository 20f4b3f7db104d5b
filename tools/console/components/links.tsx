import type { Noun } from '../../operator/description/noun.ts';
import { entityAddress } from '../http/addresses.ts';
import { Id, plainText, shortId, Text } from './text.tsx';

interface LinkProps {
  /** The noun of what has the id. */
  readonly to: Noun;
  readonly id: string;
  /** Default: the id. */
  readonly name?: string | undefined;
}

/** A link to what an id names, by its name as far as it has one. */
export function IdLink({ to, id, name }: LinkProps) {
  return (
    <a href={entityAddress(to, id)} title={plainText(id)}>
      {name === undefined && to !== 'organisation' ? <code>{shortId(id)}</code> : <Text of={name ?? id} />}
    </a>
  );
}

/** As a fact of something: its name, and its id to copy. */
export function NamedId({ to, id, name }: LinkProps) {
  return (
    <span>
      <IdLink to={to} id={id} name={name ?? id} /> {name !== undefined && <Id of={id} copy />}
    </span>
  );
}
