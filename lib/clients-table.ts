import type { IGrantable } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { clientsTable } from '../storage/client.ts';
import { allow } from './allow.ts';
import { DataTable } from './data-table.ts';
import type { Lifecycle } from './lifecycle.ts';

/** The clients that may ask for tokens. Written by operators, read by `token`. */
export class ClientsTable extends Construct {
  readonly tableName: string;
  private readonly tableArn: string;

  constructor(scope: Construct, id: string, lifecycle: Lifecycle) {
    super(scope, id);
    const { table } = new DataTable(this, 'Default', { lifecycle, keys: clientsTable });
    this.tableName = table.tableName;
    this.tableArn = table.tableArn;
  }

  /** Read one client by its id; never list them. */
  grantReadClient(grantee: IGrantable): void {
    allow(grantee, { actions: ['dynamodb:GetItem'], resources: [this.tableArn] });
  }
}
