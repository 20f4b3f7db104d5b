import { ArnPrincipal, Role } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { UploadsBucket } from './uploads-bucket.ts';

export interface UploadSignerProps {
  readonly bucket: UploadsBucket;
  /** The only role that may assume the upload signer role. */
  readonly syncRole: Role;
}

/**
 * The role whose sessions sign upload URLs. Each URL is signed in a separate session, so that it stays valid
 * for its full hour and allows a PUT of one object only.
 */
export class UploadSigner extends Construct {
  readonly roleArn: string;

  constructor(scope: Construct, id: string, { bucket, syncRole }: UploadSignerProps) {
    super(scope, id);
    const role = new Role(this, 'Role', {
      description: 'Signs upload URLs: each session may put one object',
      // The sync role needs no permission to assume this role. Within an account, a trust policy that names
      // the caller is sufficient (IAM User Guide, "Grant a user permissions to switch roles").
      assumedBy: new ArnPrincipal(syncRole.roleArn),
    });
    this.roleArn = role.roleArn;
    bucket.grantPutUploads(role);
  }
}
