import { ArnPrincipal, Role } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { UploadsBucket } from './uploads-bucket.ts';

export interface UploadSignerProps {
  readonly bucket: UploadsBucket;
  /** The only role that may assume this one. */
  readonly syncRole: Role;
}

/**
 * The role whose sessions sign upload URLs: one session for each URL, so that a URL lives its full hour and can
 * put one object.
 */
export class UploadSigner extends Construct {
  readonly roleArn: string;

  constructor(scope: Construct, id: string, { bucket, syncRole }: UploadSignerProps) {
    super(scope, id);
    const role = new Role(this, 'Role', {
      description: 'Signs upload URLs: each session may put one object',
      // Naming the role is all that it needs to assume this one: within an account, a trust policy that names its
      // caller grants by itself (IAM User Guide, "Grant a user permissions to switch roles").
      assumedBy: new ArnPrincipal(syncRole.roleArn),
    });
    this.roleArn = role.roleArn;
    bucket.grantPutUploads(role);
  }
}
