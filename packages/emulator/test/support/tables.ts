import { openTableEngine } from '../../dynamodb/engine.ts';
import { createTables } from '../../dynamodb/template-tables.ts';
import type { Resource } from '../../shared/resource-type.ts';
import { atEnd } from './at-end.ts';

/** Opens an engine with the tables of a template, until the end of the test. Default: in memory. */
export async function openTables(resources: readonly Resource[], directory?: string) {
  const engine = await openTableEngine(directory, 'us-east-1', '000000000000');
  atEnd(() => engine.close().catch(() => undefined));
  await createTables(engine, resources);
  return engine;
}
