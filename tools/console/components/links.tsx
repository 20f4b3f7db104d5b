import type { Noun } from '../../operator/description/noun.ts';
import { printable } from '../../operator/text.ts';
import { entityAddress } from '../http/addresses.ts';
import { Id, shortId, Text } from './text.tsx';

/** An id as a list shows it. People choose the ids of organisations, so these stay whole. */
export function idText(noun: Noun, id: string): string {
  return noun === 'organisation' ? id : shortId(id);
}

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
  const text = name ?? (copy ? id : idText(to, id));
  return (
    <span>
      <a href={entityAddress(to, id)} title={printable(name === undefined ? id : `${name} ${id}`)}>
        <Text of={text} />
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
