import type { Input, Output } from '../protocols/service.ts';
import { AwsError } from '../shared/errors.ts';
import { ofType, type Resource } from '../shared/resource-type.ts';
import type { TableEngine } from './engine.ts';
import { tableType } from './resource-types.ts';

/** The deletion protection of the tables. dynalite has no such protection. No caller can delete a table here. */
export interface TableProtection {
  /** DescribeTable, with the deletion protection of the table. */
  readonly describe: (input: Input) => Promise<Output>;
  /** UpdateTable, for the deletion protection only: the template decides about everything else. */
  readonly update: (input: Input) => Promise<Output>;
}

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
    update: async ({ TableName, DeletionProtectionEnabled }) => {
      if (typeof DeletionProtectionEnabled !== 'boolean') {
        throw new AwsError(
          400,
          'ValidationException',
          'The emulator can change only the deletion protection of a table',
        );
      }
      await engine.run('DescribeTable', { TableName });
      isProtected.set(String(TableName), DeletionProtectionEnabled);
      const { Table } = await describe({ TableName });
      return { TableDescription: Table };
    },
  };
}
