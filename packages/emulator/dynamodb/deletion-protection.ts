import * as v from 'valibot';
import { parseInput } from '../protocols/parse-input.ts';
import type { Input, Output } from '../protocols/service.ts';
import type { TableEngine } from './engine.ts';

/** Deletion protection of the tables, which dynalite lacks. No caller can delete a table in the emulator. */
export interface TableProtection {
  /** DescribeTable, with the deletion protection of the table. */
  readonly describe: (input: Input) => Promise<Output>;
  /** UpdateTable, for the deletion protection only: the template defines everything else. */
  readonly update: (input: Input) => Promise<Output>;
}

const updateSchema = v.strictObject({ TableName: v.string(), DeletionProtectionEnabled: v.boolean() });

export function createTableProtection(engine: TableEngine): TableProtection {
  const isProtected = new Map<string, boolean>();
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
