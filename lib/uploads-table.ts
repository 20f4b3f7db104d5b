import type { IGrantable } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { uploadsTable } from '../storage/upload.ts';
import { allow } from './allow.ts';
import { DataTable } from './data-table.ts';
import type { Lifecycle } from './lifecycle.ts';

/** One item for each upload URL ever issued. */
export class UploadsTable extends Construct {
  readonly tableName: string;
  private readonly tableArn: string;

  constructor(scope: Construct, id: string, lifecycle: Lifecycle) {
    super(scope, id);
    const { table } = new DataTable(this, 'Default', { lifecycle, keys: uploadsTable });
    this.tableName = table.tableName;
    this.tableArn = table.tableArn;
  }

  /** Record an upload that was just issued. */
  grantRecordIssued(grantee: IGrantable): void {
    allow(grantee, { actions: ['dynamodb:PutItem'], resources: [this.tableArn] });
  }

  /** Record what became of an upload. */
  grantRecordOutcome(grantee: IGrantable): void {
    allow(grantee, { actions: ['dynamodb:GetItem', 'dynamodb:UpdateItem'], resources: [this.tableArn] });
  }
}
