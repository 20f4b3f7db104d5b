import type { Child, PropsWithChildren } from 'hono/jsx';

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
