import * as v from 'valibot';
import { parseInput } from '../protocols/parse-input.ts';
import type { Input, Output } from '../protocols/service.ts';
import { ofType, type Resource } from '../shared/resource-type.ts';
import type { TableEngine } from './engine.ts';
import { tableType } from './resource-types.ts';

/** Deletion protection of the tables, which dynalite lacks. No caller can delete a table in the emulator. */
export interface TableProtection {
  /** DescribeTable, with the deletion protection of the table. */
  readonly describe: (input: Input) => Promise<Output>;
  /** UpdateTable, for the deletion protection only: the template defines everything else. */
  readonly update: (input: Input) => Promise<Output>;
}

const updateSchema = v.strictObject({ TableName: v.string(), DeletionProtectionEnabled: v.boolean() });

export function createTableProtection(engine: TableEngine, resources: readonly Resource[]): TableProtection {
  const tables = ofType(resources, tableType);
  const isProtected = new Map(
    tables.map(({ ref, properties }) => [ref, properties.DeletionProtectionEnabled ?? false]),
  );
  const describe = async (input: Input) => {
    const { Table } = await engine.run('DescribeTable', { ...input });
    const DeletionProtectionEnabled = isProtected.get(String(input.TableName)) ?? false;
    return { Table: { ...(Table as Output), DeletionProtectionEnabled } };
  };
  return {
    describe,
    update: async (input) => {
      const { TableName, DeletionProtectionEnabled } = parseInput(updateSchema, input, 'ValidationException');
      await engine.run('DescribeTable', { TableName });
      isProtected.set(TableName, DeletionProtectionEnabled);
      const { Table } = await describe({ TableName });
      return { TableDescription: Table };
    },
  };
}
