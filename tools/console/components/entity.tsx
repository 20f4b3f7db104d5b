import { createContext, useContext } from 'hono/jsx';
import {
  columnsOf,
  type Entity,
  type Fact,
  factOf,
  factsOf,
  idOf,
} from '../../operator/description/entity.ts';
import { idName, type Noun } from '../../operator/description/noun.ts';
import { formatBytes, formatSize, printable, shortId } from '../../operator/text.ts';
import { entityAddress, path, withQuery } from '../http/addresses.ts';
import type { Column } from './list.tsx';
import { Id, Sentence, Tag, Text, Time } from './text.tsx';

/** Names of files and clients, by id. Links show a name if the page knows it. */
export const NamesScope = createContext<ReadonlyMap<string, string>>(new Map());

/** The details of an entity. */
export function EntityDetails({ entity, of }: { readonly entity: Entity; readonly of: object }) {
  // The name is already the heading of the page.
  const facts = factsOf(entity, of).filter(({ name, kind }) => name !== entity.main || kind === 'id');
  return (
    <dl class="details">
      {facts.map((fact) => (
        <div>
          <dt>{fact.group === undefined ? fact.label : `${fact.group}: ${fact.label}`}</dt>
          <dd>
            <Value fact={fact} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function nameOf({ of, value }: Fact): string | undefined {
  const names = useContext(NamesScope);
  return of === 'file' || of === 'client' ? names.get(String(value)) : undefined;
}

/** The value of a fact. `short` is for the cell of a list. */
function Value({ fact, short = false }: { readonly fact: Fact; readonly short?: boolean }) {
  const name = nameOf(fact);
  switch (fact.kind) {
    case 'id':
      return fact.of === undefined ? (
        <Id of={fact.value} short={short} copy />
      ) : (
        <IdLink to={fact.of} id={fact.value} name={name} copy={!short} />
      );
    case 'opaque':
      return <Id of={fact.value} copy />;
    case 'time':
      return <Time of={fact.value} exact={!short} />;
    case 'bytes':
      // A rounded number, and the exact one.
      return <span title={formatSize(fact.value)}>{(short ? formatBytes : formatSize)(fact.value)}</span>;
    case 'state':
      return <Tag tone={fact.tone}>{fact.value}</Tag>;
    case 'lines':
      return (
        <>
          {fact.value.map((line) => (
            <div>
              <Sentence of={line} />
            </div>
          ))}
        </>
      );
    case 'timeline':
      return (
        <ol>
          {fact.value.map((moment) => (
            <li>
              <Time of={moment.at} exact /> <b>{moment.event}</b> {moment.detail}
            </li>
          ))}
        </ol>
      );
    case 'count':
    case 'text':
      return <Text of={fact.value} />;
  }
}

/** Number of columns that fit on a phone. */
const phoneColumns = 3;

/**
 * Returns the columns of a list of entities. The id is last, because the main column links to the page of the
 * entity.
 */
export function entityColumns(entity: Entity): readonly Column<object>[] {
  const { main } = entity;
  const own = idName(entity.noun);
  const isLast = (name: string) => Number(main !== undefined && name === own && name !== main);
  return [...columnsOf(entity)]
    .sort((a, b) => isLast(a.name) - isLast(b.name))
    .map(({ name, heading, isNumber }, index) => ({
      heading,
      class: [isNumber && 'right', index >= phoneColumns && !entity.isWhole && 'wide-only']
        .filter(Boolean)
        .join(' '),
      cell: (of) => <Cell entity={entity} of={of} name={name} isMain={name === main} />,
    }));
}

/** Returns the column of the check boxes that select rows for the form `selection`. */
export function selectionColumn(entity: Entity): Column<object> {
  return {
    heading: <input type="checkbox" aria-label="Select all" />,
    class: 'pick',
    cell: (of) => (
      <input
        type="checkbox"
        form="selection"
        name="id"
        value={idOf(entity, of)}
        aria-label={`Select ${idOf(entity, of)}`}
      />
    ),
  };
}

interface CellProps {
  readonly entity: Entity;
  readonly of: object;
  readonly name: string;
  readonly isMain: boolean;
}

/** A fact of an entity in a list. The main fact links to the page of the entity, and a click in the row follows it. */
function Cell({ entity, of, name, isMain }: CellProps) {
  const fact = factOf(entity, of, name);
  if (fact === undefined) {
    return <span class="muted">–</span>;
  }
  if (!isMain) {
    return <Value fact={fact} short />;
  }
  const id = idOf(entity, of);
  const text = fact.value === id ? idText(entity.noun, id) : (nameOf(fact) ?? String(fact.value));
  const href = withQuery(path(`${entity.noun}s`, id), entity.query?.(of) ?? {});
  return (
    <a class="main" href={href} id={`${entity.noun}-${id}`}>
      <Text of={text} />
    </a>
  );
}

/** An id in a list. Ids of organisations are chosen by people, so they are not shortened. */
function idText(noun: Noun, id: string): string {
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
function IdLink({ to, id, name, copy = false }: LinkProps) {
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
