import { AttributeType, BillingMode, ProjectionType, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import type { IGrantable } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { clientsTable } from '../storage/client.ts';
import { filesTable } from '../storage/file.ts';
import { type TableKeys, timeToLiveName } from '../storage/table.ts';
import { uploadsTable } from '../storage/upload.ts';
import { dueIndex } from '../storage/upload-due.ts';
import { allow } from './allow.ts';
import type { Lifecycle } from './lifecycle.ts';

/** The clients that may ask for tokens. Operators write them, and `token` reads them. */
export class ClientsTable extends Construct {
  readonly tableName: string;
  private readonly tableArn: string;

  constructor(scope: Construct, id: string, lifecycle: Lifecycle) {
    super(scope, id);
    const { table } = new DataTable(this, 'Default', { lifecycle, keys: clientsTable });
    this.tableName = table.tableName;
    this.tableArn = table.tableArn;
  }

  /** Allows reading one client by its id, but not listing clients. */
  grantReadClient(grantee: IGrantable): void {
    allow(grantee, { actions: ['dynamodb:GetItem'], resources: [this.tableArn] });
  }

  /** Allows switching on the protection from deletion. */
  grantProtect(grantee: IGrantable): void {
    allowProtection(grantee, this.tableArn);
  }
}

/** The files that can be synced. Each points at its newest content. */
export class FilesTable extends Construct {
  readonly tableName: string;
  private readonly tableArn: string;

  constructor(scope: Construct, id: string, lifecycle: Lifecycle) {
    super(scope, id);
    const { table } = new DataTable(this, 'Default', { lifecycle, keys: filesTable });
    this.tableName = table.tableName;
    this.tableArn = table.tableArn;
  }

  /** Allows reading one file by its id. */
  grantReadFile(grantee: IGrantable): void {
    allow(grantee, { actions: ['dynamodb:GetItem'], resources: [this.tableArn] });
  }

  /** Allows pointing a file at its newest content. That takes reading the file first. */
  grantPointAtContent(grantee: IGrantable): void {
    allow(grantee, { actions: ['dynamodb:GetItem', 'dynamodb:UpdateItem'], resources: [this.tableArn] });
  }

  /** Allows switching on the protection from deletion. */
  grantProtect(grantee: IGrantable): void {
    allowProtection(grantee, this.tableArn);
  }
}

/** One item for each upload URL that was ever issued. */
export class UploadsTable extends Construct {
  readonly tableName: string;
  private readonly tableArn: string;

  constructor(scope: Construct, id: string, lifecycle: Lifecycle) {
    super(scope, id);
    const { table } = new DataTable(this, 'Default', { lifecycle, keys: uploadsTable });
    this.tableName = table.tableName;
    this.tableArn = table.tableArn;
  }

  /** Allows recording that an upload URL was issued. */
  grantRecordIssued(grantee: IGrantable): void {
    allow(grantee, { actions: ['dynamodb:PutItem'], resources: [this.tableArn] });
  }

  /** Allows recording how an upload ended: completed, cancelled or superseded. */
  grantRecordOutcome(grantee: IGrantable): void {
    allow(grantee, { actions: ['dynamodb:GetItem', 'dynamodb:UpdateItem'], resources: [this.tableArn] });
  }

  /** Allows finding the uploads that are due. It does not allow listing the others. */
  grantListDue(grantee: IGrantable): void {
    allow(grantee, { actions: ['dynamodb:Query'], resources: [`${this.tableArn}/index/${dueIndex.name}`] });
  }

  /** Allows switching on the protection from deletion. */
  grantProtect(grantee: IGrantable): void {
    allowProtection(grantee, this.tableArn);
  }
}

interface DataTableProps {
  readonly lifecycle: Lifecycle;
  readonly keys: TableKeys;
}

/**
 * What all tables have in common. storage/ defines their keys and items. The id must be `Default`: the CDK leaves
 * that id out of logical IDs.
 */
class DataTable extends Construct {
  readonly table: Table;

  constructor(scope: Construct, id: string, props: DataTableProps) {
    super(scope, id);
    const { lifecycle, keys } = props;
    this.table = new Table(this, 'Table', {
      partitionKey: text(keys.partitionKey),
      billingMode: BillingMode.PAY_PER_REQUEST,
      // DynamoDB's own key is enough: the tables hold digests of secrets, names and times, but no secret.
      encryption: TableEncryption.DEFAULT,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      timeToLiveAttribute: timeToLiveName,
      // Deletion protection is not set here: lib/deletion-protection.ts switches it on when the stack is complete.
      removalPolicy: lifecycle.removalPolicy,
    });
    for (const index of keys.indexes) {
      this.table.addGlobalSecondaryIndex({
        indexName: index.name,
        partitionKey: text(index.partitionKey),
        sortKey: text(index.sortKey),
        ...projectionOf(index.attributes),
      });
    }
  }
}

/** CloudFormation refuses a list of attributes that is empty: an index of keys alone has a type of its own. */
function projectionOf(attributes: readonly string[] | undefined) {
  if (attributes === undefined) {
    return { projectionType: ProjectionType.ALL };
  }
  return attributes.length === 0
    ? { projectionType: ProjectionType.KEYS_ONLY }
    : { projectionType: ProjectionType.INCLUDE, nonKeyAttributes: [...attributes] };
}

/** The same action could switch protection off, or change the throughput: IAM has no condition on what it sets. */
function allowProtection(grantee: IGrantable, tableArn: string): void {
  allow(grantee, { actions: ['dynamodb:DescribeTable', 'dynamodb:UpdateTable'], resources: [tableArn] });
}

function text(name: string) {
  return { name, type: AttributeType.STRING };
}
