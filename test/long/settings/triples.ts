/** One value for each column. */
type Row = readonly boolean[];

/** Three columns, and a value for each. */
type Triple = readonly (readonly [column: number, value: boolean])[];

/** How many rows are compared for each that is taken. More make fewer rows, and take longer. */
const candidates = 50;

/**
 * Rows in which any three columns have all eight combinations of values: the next row is always the best of some random
 * ones, each of which has the first combination that is missing so far. For 24 columns they are about 35 rows, where
 * all combinations are 16,777,216.
 *
 * @param random numbers in [0, 1)
 */
export function rowsOfEveryTriple(columns: number, random: () => number): readonly Row[] {
  const rows: Row[] = [];
  let missing = everyTriple(columns);
  for (let [first] = missing; first !== undefined; [first] = missing) {
    const row = bestRow(first, missing, columns, random);
    rows.push(row);
    missing = missing.filter((triple) => !isIn(row, triple));
  }
  return rows;
}

function bestRow(first: Triple, missing: readonly Triple[], columns: number, random: () => number): Row {
  const needed = new Map(first);
  const rows = Array.from({ length: candidates }, () =>
    Array.from({ length: columns }, (_, column) => needed.get(column) ?? random() < 0.5),
  );
  const counted = rows.map((row) => ({ row, count: missing.filter((triple) => isIn(row, triple)).length }));
  return counted.reduce((best, other) => (other.count > best.count ? other : best)).row;
}

function isIn(row: Row, triple: Triple): boolean {
  return triple.every(([column, value]) => row[column] === value);
}

function everyTriple(columns: number): readonly Triple[] {
  const values = [false, true];
  const from = (start: number) => Array.from({ length: columns - start }, (_, index) => start + index);
  return from(0).flatMap((one) =>
    from(one + 1).flatMap((two) =>
      from(two + 1).flatMap((three) =>
        values.flatMap((a) =>
          values.flatMap((b) =>
            values.map(
              (c) =>
                [
                  [one, a],
                  [two, b],
                  [three, c],
                ] as const,
            ),
          ),
        ),
      ),
    ),
  );
}
