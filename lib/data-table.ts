import { AttributeType, BillingMode, ProjectionType, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import type { Lifecycle } from './lifecycle.ts';

/** Texts that make up a key: a partition key and, in an index, a sort key. */
interface TextIndex {
  readonly name: string;
  readonly partitionKey: string;
  readonly sortKey: string;
}

export interface DataTableProps {
  readonly lifecycle: Lifecycle;
  readonly partitionKey: string;
  readonly indexes: readonly TextIndex[];
}

/**
 * What all tables have in common. docs/storage.md says what they hold. Use the id `Default`: the CDK leaves it out of
 * logical ids.
 */
export class DataTable extends Construct {
  readonly table: Table;

  constructor(scope: Construct, id: string, props: DataTableProps) {
    super(scope, id);
    const { lifecycle } = props;
    this.table = new Table(this, 'Table', {
      partitionKey: text(props.partitionKey),
      billingMode: BillingMode.PAY_PER_REQUEST,
      // Under a key of DynamoDB's own: what is stored are hashes of secrets, names and times.
      encryption: TableEncryption.DEFAULT,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: lifecycle.deletionProtection,
      removalPolicy: lifecycle.removalPolicy,
    });
    for (const index of props.indexes) {
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
