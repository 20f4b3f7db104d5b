import { AttributeType, BillingMode, ProjectionType, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import type { IGrantable } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { clientsTable } from '../storage/client.ts';
import { filesTable } from '../storage/file.ts';
import { expectedIndex } from '../storage/file-expected.ts';
import { type TableKeys, timeToLiveName } from '../storage/table.ts';
import { uploadsTable } from '../storage/upload.ts';
import { dueIndex } from '../storage/upload-due.ts';
import { allow } from './allow.ts';
import type { Lifecycle } from './lifecycle.ts';

/** DynamoDB action for reading items by their keys: one item in a call, or several. */
export type ReadAction = 'dynamodb:GetItem' | 'dynamodb:BatchGetItem';

/** A table. storage/ defines its keys and items. */
export class DataTable extends Construct {
  readonly tableName: string;
  protected readonly tableArn: string;

  constructor(scope: Construct, id: string, lifecycle: Lifecycle, keys: TableKeys) {
    super(scope, id);
    const table = new Table(this, 'Table', {
      partitionKey: text(keys.partitionKey),
      billingMode: BillingMode.PAY_PER_REQUEST,
      // DynamoDB's own key is sufficient: the tables contain digests of secrets, names and times, but no
      // secret.
      encryption: TableEncryption.DEFAULT,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      timeToLiveAttribute: timeToLiveName,
      // Deletion protection is not set here: lib/deletion-protection.ts switches it on when the stack is complete.
      removalPolicy: lifecycle.removalPolicy,
    });
    for (const index of keys.indexes) {
      table.addGlobalSecondaryIndex({
        indexName: index.name,
        partitionKey: text(index.partitionKey),
        sortKey: text(index.sortKey),
        ...projectionOf(index.attributes),
      });
    }
    this.tableName = table.tableName;
    this.tableArn = table.tableArn;
  }

  /**
   * Allows switching on deletion protection. The same action could switch it off, or change the throughput:
   * IAM offers no condition on the new values.
   */
  grantProtect(grantee: IGrantable): void {
    allow(grantee, ['dynamodb:DescribeTable', 'dynamodb:UpdateTable'], this.tableArn);
  }
}

/** The clients that may ask for tokens. Operators write them, and `token` reads them. */
export class ClientsTable extends DataTable {
  constructor(scope: Construct, id: string, lifecycle: Lifecycle) {
    super(scope, id, lifecycle, clientsTable);
  }

  /** Allows reading one client by its id, but not listing clients. */
  grantReadClient(grantee: IGrantable): void {
    allow(grantee, ['dynamodb:GetItem'], this.tableArn);
  }
}

/** The files that can be synced. Each points at its newest content. */
export class FilesTable extends DataTable {
  constructor(scope: Construct, id: string, lifecycle: Lifecycle) {
    super(scope, id, lifecycle, filesTable);
  }

  /** Allows reading one file by its id. */
  grantReadFile(grantee: IGrantable): void {
    allow(grantee, ['dynamodb:GetItem'], this.tableArn);
  }

  /** Allows pointing a file at its newest content, which requires a read of the file first. */
  grantPointAtContent(grantee: IGrantable, read: ReadAction): void {
    allow(grantee, [read, 'dynamodb:UpdateItem'], this.tableArn);
  }

  /** Allows finding watched files. It does not allow listing others. */
  grantListExpected(grantee: IGrantable): void {
    allow(grantee, ['dynamodb:Query'], `${this.tableArn}/index/${expectedIndex.name}`);
  }
}

/** One item for each upload URL that was ever issued. */
export class UploadsTable extends DataTable {
  constructor(scope: Construct, id: string, lifecycle: Lifecycle) {
    super(scope, id, lifecycle, uploadsTable);
  }

  /** Allows recording that an upload URL was issued. */
  grantRecordIssued(grantee: IGrantable): void {
    allow(grantee, ['dynamodb:PutItem'], this.tableArn);
  }

  /** Allows recording how an upload ended: completed, cancelled or superseded. */
  grantRecordOutcome(grantee: IGrantable, read: ReadAction): void {
    allow(grantee, [read, 'dynamodb:UpdateItem'], this.tableArn);
  }

  /** Allows finding due uploads. It does not allow listing others. */
  grantListDue(grantee: IGrantable): void {
    allow(grantee, ['dynamodb:Query'], `${this.tableArn}/index/${dueIndex.name}`);
  }
}

/**
 * Returns the projection of an index. CloudFormation rejects an empty list of attributes: an index with only
 * keys requires another projection type.
 */
function projectionOf(attributes: readonly string[] | undefined) {
  if (attributes === undefined) {
    return { projectionType: ProjectionType.ALL };
  }
  return attributes.length === 0
    ? { projectionType: ProjectionType.KEYS_ONLY }
    : { projectionType: ProjectionType.INCLUDE, nonKeyAttributes: [...attributes] };
}

function text(name: string) {
  return { name, type: AttributeType.STRING };
}
