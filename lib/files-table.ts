import type { IGrantable } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { filesTable } from '../storage/file.ts';
import { allow } from './allow.ts';
import { DataTable } from './data-table.ts';
import type { Lifecycle } from './lifecycle.ts';

/** The files that can be synced, each pointing at its newest content. */
export class FilesTable extends Construct {
  readonly tableName: string;
  private readonly tableArn: string;

  constructor(scope: Construct, id: string, lifecycle: Lifecycle) {
    super(scope, id);
    const { table } = new DataTable(this, 'Default', { lifecycle, keys: filesTable });
    this.tableName = table.tableName;
    this.tableArn = table.tableArn;
  }

  /** Read one file by its id. */
  grantReadFile(grantee: IGrantable): void {
    allow(grantee, { actions: ['dynamodb:GetItem'], resources: [this.tableArn] });
  }

  /** Point a file at its newest content; needs the file as it is. */
  grantPointAtContent(grantee: IGrantable): void {
    allow(grantee, { actions: ['dynamodb:GetItem', 'dynamodb:UpdateItem'], resources: [this.tableArn] });
  }
}
