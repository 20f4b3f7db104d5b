import type { TableEngine } from './engine.ts';

/** Reads the items of a table, page after page. */
export async function* scan(
  engine: TableEngine,
  input: Readonly<Record<string, unknown>>,
): AsyncGenerator<readonly unknown[]> {
  let start: unknown;
  do {
    const page = await engine.run('Scan', { ...input, ExclusiveStartKey: start });
    yield Array.isArray(page.Items) ? page.Items : [];
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
}
