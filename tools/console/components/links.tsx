import type { Noun } from '../../operator/description/noun.ts';
import { printable, shortId } from '../../operator/text.ts';
import { entityAddress } from '../http/addresses.ts';
import { Id, Text } from './text.tsx';

/** An id in a list. Ids of organisations are chosen by people, so they are not shortened. */
export function idText(noun: Noun, id: string): string {
  return noun === 'organisation' ? id : shortId(id);
}

interface LinkProps {
  /** Noun of the entity with this id. */
  readonly to: Noun;
  readonly id: string;
  readonly name: string | undefined;
  /** True to show the whole id as well, with a button to copy it. */
  readonly copy?: boolean;
}

/** A link to an entity by id. It shows the name, or the id if no name is known. */
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
