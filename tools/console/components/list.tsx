import type { Child, PropsWithChildren } from 'hono/jsx';
import { Text } from './text.tsx';

/** A column of a list. */
export interface Column<Row> {
  readonly heading: Child;
  readonly cell: (row: Row) => Child;
  /** `right` for numbers, `wide-only` for columns that are hidden on a phone. Separated by spaces. */
  readonly class?: string;
}

interface ListProps<Row> {
  /** Content of the list, for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
}

/** A list as a table: one line for each row. Its child is shown below the rows, inside the table. */
export function List<Row>({ label, columns, rows, children }: PropsWithChildren<ListProps<Row>>) {
  return (
    // The role and the focus let people scroll a wide table by keyboard.
    <section id={`list-${slug(label)}`} class="scroll" aria-label={label} tabindex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th scope="col" class={column.class}>
                {column.heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              {columns.map((column) => (
                <td class={column.class}>{column.cell(row)}</td>
              ))}
            </tr>
          ))}
        </tbody>
        {children}
      </table>
    </section>
  );
}

function slug(label: string): string {
  return label.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
}

/** The name of a row's entity, as a link to its page. A click anywhere in the row follows the link. */
export function MainLink({
  of,
  ...link
}: {
  readonly href: string;
  readonly id?: string;
  readonly of: string;
}) {
  return (
    <a class="main" {...link}>
      <Text of={of} />
    </a>
  );
}

export interface NewestRowsProps<Row> {
  readonly title: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** Address of the whole list. Undefined: the rows are the whole list. */
  readonly all?: string | undefined;
  /** Text of an empty list: the reason, or the next step. */
  readonly none: Child;
}

/** A part of a page with the first rows of a list, and a link to the whole list. */
export function NewestRows<Row>({ title, columns, rows, all, none }: NewestRowsProps<Row>) {
  return (
    <section class="stack">
      <div class="row apart">
        <h2>{title}</h2>
        {all !== undefined && rows.length > 0 && <a href={all}>Show all</a>}
      </div>
      {rows.length === 0 ? (
        <div class="muted stack">{none}</div>
      ) : (
        <List label={title} columns={columns} rows={rows} />
      )}
    </section>
  );
}
