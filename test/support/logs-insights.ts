/**
 * The part of CloudWatch Logs Insights that the saved queries use (CloudWatch Logs User Guide, "Logs Insights QL query
 * syntax"): `fields`, `filter`, `stats`, `sort`, `limit` and `parse`. Anything else is an error.
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
  parse: (rest) => {
    const [, name = '', glob = '', list = ''] = /^(\S+) "([^"]*)" as (.*)$/.exec(rest) ?? [];
    const names = list.split(', ').map(field);
    const pattern = new RegExp(`^${glob.split('*').map(escapeRegExp).join('(.*?)')}$`);
    const partsOf = (row: Row) => pattern.exec(String(row[name]))?.slice(1) ?? [];
    return {
      reads: [field(name)],
      makes: names,
      run: (rows) =>
        rows.map((row) => {
          const parts = partsOf(row);
          return { ...row, ...Object.fromEntries(names.map((each, index) => [each, parts[index]])) };
        }),
    };
  },
};

interface Condition {
  readonly name: string;
  readonly holds: (value: unknown) => boolean;
}

const comparisons: Readonly<Record<string, (value: unknown, literal: string) => boolean>> = {
  // Logs Insights compares a text that is a number as a number.
  '=': (value, literal) => value !== undefined && String(value) === literal,
  '>': (value, literal) => Number(value) > Number(literal),
};

function parseCondition(text: string): Condition {
  const [, listed, list] = /^(\S+) in \[(.*)\]$/.exec(text) ?? [];
  if (listed !== undefined && list !== undefined) {
    const values: readonly unknown[] = JSON.parse(`[${list}]`);
    return { name: field(listed), holds: (value) => values.includes(value) };
  }
  const [, name = '', operator = '', literal = ''] = /^(\S+) (=|>) (".*"|\d+)$/.exec(text) ?? [];
  const compare = comparisons[operator];
  if (compare === undefined) {
    throw new Error(`Not a condition that is known here: ${text}`);
  }
  const value = String(JSON.parse(literal));
  return { name: field(name), holds: (given) => compare(given, value) };
}

function groupsOf(rows: readonly Row[], keyOf: (row: Row) => string): readonly (readonly Row[])[] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = keyOf(row);
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups.values()];
}

interface Aggregate {
  readonly alias: string;
  readonly reads: readonly string[];
  readonly of: (rows: readonly Row[]) => number;
}

function parseStats(rest: string): Command {
  const [, functions = '', groups = ''] = /^(.*) by (.*)$/s.exec(rest) ?? [];
  const aggregates = functions.split(/, (?=\w+\()/).map(parseAggregate);
  const groupings = groups.split(', ').filter((group) => !/^bin\(\d+[mhd]\)$/.test(group));
  const names = groupings.map(field);
  const keyOf = (row: Row) => JSON.stringify(names.map((name) => row[name] ?? null));
  return {
    reads: [...aggregates.flatMap(({ reads }) => reads), ...names],
    makes: aggregates.map(({ alias }) => alias),
    run: (rows) =>
      groupsOf(rows, keyOf).map((members) => ({
        ...Object.fromEntries(names.map((name) => [name, members[0]?.[name]])),
        ...Object.fromEntries(aggregates.map(({ alias, of }) => [alias, of(members)])),
      })),
  };
}

function parseAggregate(text: string): Aggregate {
  const [, name = '', inside = '', alias = ''] = /^(\w+)\(([^)]*)\) as (\w+)$/.exec(text) ?? [];
  const [argument = '', percent] = inside.split(', ');
  const numbers = (rows: readonly Row[]) => rows.map((row) => Number(row[argument] ?? 0));
  const known: Readonly<Record<string, Aggregate['of']>> = {
    count: (rows) => rows.length,
    sum: (rows) => numbers(rows).reduce((sum, value) => sum + value, 0),
    max: (rows) => Math.max(...numbers(rows)),
    pct: (rows) => {
      const sorted = numbers(rows).toSorted((one, other) => one - other);
      return sorted[Math.ceil((Number(percent) / 100) * sorted.length) - 1] ?? Number.NaN;
    },
  };
  const of = known[name];
  if (of === undefined || alias === '' || (name === 'pct') === (percent === undefined)) {
    throw new Error(`Not an aggregate that is known here: ${text}`);
  }
  return { alias, reads: argument === '*' ? [] : [field(argument)], of };
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
