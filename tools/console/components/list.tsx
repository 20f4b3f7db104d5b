import type { Child, PropsWithChildren } from 'hono/jsx';
import { EnteredScope } from './form.tsx';

/** A column of a list. */
export interface Column<Row> {
  readonly heading: string;
  readonly cell: (row: Row) => Child;
  readonly align?: 'right';
}

/** A list as a table. On a narrow screen each row becomes a block, with the headings beside the values. */
export function List<Row>({
  label,
  columns,
  rows,
}: {
  /** What is in the list, for those who do not see it. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
}) {
  return (
    // The role and the focus let people scroll a wide table by keyboard.
    <section
      id={`list-${label.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`}
      class="scroll"
      aria-label={label}
      tabindex={0}
    >
      <table>
        <thead>
          <tr>
            {columns.map(({ heading, align }) => (
              <th scope="col" class={align}>
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              {columns.map(({ heading, cell, align }) => (
                <td class={align} data-heading={heading}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Filters of a list: a form that makes an address. Children are fields. */
export function Filters({
  action,
  given,
  children,
}: PropsWithChildren<{
  readonly action: string;
  readonly given: Readonly<Record<string, string | undefined>>;
}>) {
  const values = Object.fromEntries(Object.entries(given).map(([name, value = '']) => [name, [value]]));
  return (
    <search>
      <form method="get" action={action} class="filters">
        <EnteredScope.Provider value={{ values, errors: {} }}>{children}</EnteredScope.Provider>
        <div class="buttons">
          <button type="submit">Filter</button>
          <a class="button quiet" href={action}>
            Clear
          </a>
        </div>
      </form>
    </search>
  );
}

/** Links to the next page of a list and to the first one. The way back to the page before is the browser's own. */
export function Pager({
  first,
  next,
}: {
  readonly first?: string | undefined;
  readonly next?: string | undefined;
}) {
  if (first === undefined && next === undefined) {
    return null;
  }
  return (
    <nav class="buttons" aria-label="Pages">
      {first !== undefined && (
        <a class="button" href={first}>
          Newest
        </a>
      )}
      {next !== undefined && (
        <a class="button" rel="next" href={next}>
          Next
        </a>
      )}
    </nav>
  );
}

/** Where there is nothing yet: why, and what to do. */
export function Empty({ title, children }: PropsWithChildren<{ readonly title: string }>) {
  return (
    <div class="empty">
      <p>
        <strong>{title}</strong>
      </p>
      {children}
    </div>
  );
}
