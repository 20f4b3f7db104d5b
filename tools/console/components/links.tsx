import type { Noun } from '../../operator/description/noun.ts';
import { entityAddress } from '../http/addresses.ts';
import { Id, plainText, shortId, Text } from './text.tsx';

interface LinkProps {
  /** The noun of what has the id. */
  readonly to: Noun;
  readonly id: string;
  readonly name: string | undefined;
  /** Whether the whole id is shown too, with a button to copy it. */
  readonly copy?: boolean;
}

/** A link to the entity of an id. The link shows the name, or the id where no name is known. */
export function IdLink({ to, id, name, copy = false }: LinkProps) {
  const isWhole = copy || to === 'organisation';
  return (
    <span>
      <a href={entityAddress(to, id)} title={plainText(id)}>
        {name === undefined && !isWhole ? <code>{shortId(id)}</code> : <Text of={name ?? id} />}
      </a>
      {copy && name !== undefined && (
        <>
          {' '}
          <Id of={id} copy />
        </>
      )}
    </span>
  );
}
