import { AttributeType, BillingMode, ProjectionType, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import type { TableKeys } from '../storage/table.ts';
import type { Lifecycle } from './lifecycle.ts';

export interface DataTableProps {
  readonly lifecycle: Lifecycle;
  readonly keys: TableKeys;
}

/**
 * What all tables have in common. storage/ says what they hold. Use the id `Default`: the CDK leaves it out of
 * logical ids.
 */
export class DataTable extends Construct {
  readonly table: Table;

  constructor(scope: Construct, id: string, props: DataTableProps) {
    super(scope, id);
    const { lifecycle, keys } = props;
    this.table = new Table(this, 'Table', {
      partitionKey: text(keys.partitionKey),
      billingMode: BillingMode.PAY_PER_REQUEST,
      // Under a key of DynamoDB's own: what is stored are hashes of secrets, names and times.
      encryption: TableEncryption.DEFAULT,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: lifecycle.deletionProtection,
      removalPolicy: lifecycle.removalPolicy,
    });
    for (const index of keys.indexes) {
      this.table.addGlobalSecondaryIndex({
        indexName: index.name,
        partitionKey: text(index.partitionKey),
        sortKey: text(index.sortKey),
        projectionType: ProjectionType.ALL,
      });
    }
  }
}

function text(name: string) {
  return { name, type: AttributeType.STRING };
}
