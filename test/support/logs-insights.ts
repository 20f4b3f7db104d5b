/**
 * The part of CloudWatch Logs Insights that the saved queries use (CloudWatch Logs User Guide, "Logs Insights QL query
 * syntax"): `fields`, `filter` by `=` and `in`, `stats count(*)`,
 * `sort` and `limit`. Anything else is an error.
 */

export type Row = Readonly<Record<string, unknown>>;

export interface Query {
  /** Fields of log lines that it reads, without those that CloudWatch adds (`@...`) and those that it makes itself. */
  readonly reads: ReadonlySet<string>;
  readonly run: (rows: readonly Row[]) => readonly Row[];
}

interface Command {
  readonly reads: readonly string[];
  readonly makes: readonly string[];
  readonly run: (rows: readonly Row[]) => readonly Row[];
}

/** @throws {Error} naming what is not understood */
export function parseQuery(text: string): Query {
  const commands = text.split('\n| ').map(parseCommand);
  const made = new Set<string>();
  const reads = new Set<string>();
  for (const command of commands) {
    for (const name of command.reads.filter((field) => !made.has(field) && !field.startsWith('@'))) {
      reads.add(name);
    }
    for (const name of command.makes) {
      made.add(name);
    }
  }
  return { reads, run: (rows) => commands.reduce((current, { run }) => run(current), rows) };
}

function parseCommand(text: string): Command {
  const [, name = '', rest = ''] = /^(\w+) (.*)$/s.exec(text) ?? [];
  const parse = parsers[name];
  if (parse === undefined) {
    throw new Error(`Not a command that is known here: ${text}`);
  }
  return parse(rest);
}

const fieldName = /^@?[A-Za-z_]\w*$/;

function field(text: string): string {
  if (!fieldName.test(text)) {
    throw new Error(`Not a field: ${text}`);
  }
  return text;
}

const parsers: Readonly<Record<string, (rest: string) => Command>> = {
  fields: (rest) => {
    const names = rest.split(', ').map(field);
    return { reads: names, makes: [], run: (rows) => rows };
  },
  filter: (rest) => {
    const alternatives = rest.split(' or ').map((part) => part.split(' and ').map(parseCondition));
    return {
      reads: alternatives.flat().map((condition) => condition.name),
      makes: [],
      run: (rows) =>
        rows.filter((row) => alternatives.some((all) => all.every(({ name, holds }) => holds(row[name])))),
    };
  },
  stats: parseStats,
  sort: (rest) => {
    const [, name = '', order] = /^(\S+) (asc|desc)$/.exec(rest) ?? [];
    const sign = order === 'asc' ? 1 : -1;
    const compare = (one: Row, other: Row) => sign * (Number(one[name]) - Number(other[name]));
    return { reads: [field(name)], makes: [], run: (rows) => rows.toSorted(compare) };
  },
  limit: (rest) => {
    const count = Number(rest);
    if (!Number.isInteger(count) || count < 1) {
      throw new Error(`Not a limit: ${rest}`);
    }
    return { reads: [], makes: [], run: (rows) => rows.slice(0, count) };
  },
};

interface Condition {
  readonly name: string;
  readonly holds: (value: unknown) => boolean;
}

function parseCondition(text: string): Condition {
  const [, listed, list] = /^(\S+) in \[(.*)\]$/.exec(text) ?? [];
  if (listed !== undefined && list !== undefined) {
    const values: readonly unknown[] = JSON.parse(`[${list}]`);
    return { name: field(listed), holds: (value) => values.includes(value) };
  }
  const [, name = '', literal] = /^(\S+) = (".*"|\d+)$/.exec(text) ?? [];
  if (literal === undefined) {
    throw new Error(`Not a condition that is known here: ${text}`);
  }
  const wanted = String(JSON.parse(literal));
  // Logs Insights compares a text that is a number as a number.
  return { name: field(name), holds: (value) => value !== undefined && String(value) === wanted };
}

function groupsOf(rows: readonly Row[], keyOf: (row: Row) => string): readonly (readonly Row[])[] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = keyOf(row);
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups.values()];
}

function parseStats(rest: string): Command {
  const [, alias, groups = ''] = /^count\(\*\) as (\w+) by (.*)$/.exec(rest) ?? [];
  if (alias === undefined) {
    throw new Error(`Not a count that is known here: ${rest}`);
  }
  const names = groups.split(', ').map(field);
  const keyOf = (row: Row) => JSON.stringify(names.map((name) => row[name] ?? null));
  return {
    reads: names,
    makes: [alias],
    run: (rows) =>
      groupsOf(rows, keyOf).map((members) => ({
        ...Object.fromEntries(names.map((name) => [name, members[0]?.[name]])),
        [alias]: members.length,
      })),
  };
}
