import type { Construct } from 'constructs';
import { environmentNames } from '../lambdas/shared/environment.ts';
import type { FilesTable } from './files-table.ts';
import { HttpFunction, type HttpFunctionProps } from './http-function.ts';
import { UploadSigner } from './upload-signer.ts';
import type { UploadsBucket } from './uploads-bucket.ts';
import type { UploadsTable } from './uploads-table.ts';

export interface SyncFunctionProps extends HttpFunctionProps {
  readonly files: FilesTable;
  readonly uploads: UploadsTable;
  readonly bucket: UploadsBucket;
}

/** Issues upload URLs. It can't put objects itself: it assumes the signer role, once for each URL. */
export class SyncFunction extends HttpFunction {
  constructor(scope: Construct, id: string, props: SyncFunctionProps) {
    const { files, uploads, bucket, configuration, signingKey } = props;
    super(scope, id, props, {
      name: 'sync',
      description: 'Issues one-time upload URLs',
      environment: {
        keySetSecretArn: signingKey.keySetSecretArn,
        filesTableName: files.tableName,
        uploadsTableName: uploads.tableName,
        bucketName: bucket.bucketName,
        uploadUrlLifetimeSeconds: String(configuration.uploadUrlLifetimeSeconds),
      },
    });
    signingKey.grantReadKeySet(this.role);
    files.grantReadFile(this.role);
    uploads.grantRecordIssued(this.role);
    const signer = new UploadSigner(this, 'Signer', { bucket, syncRole: this.role });
    // The signer trusts this function's role, so the role comes first and the variable last.
    this.function.addEnvironment(environmentNames.uploadSignerRoleArn, signer.roleArn);
  }
}
