import { Duration, Fn, Stack, Validations } from 'aws-cdk-lib';
import {
  AnyPrincipal,
  ArnPrincipal,
  Effect,
  type IGrantable,
  PolicyStatement,
  type Role,
} from 'aws-cdk-lib/aws-iam';
import { BlockPublicAccess, Bucket, BucketEncryption, CfnBucket, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { uploadUrlLifetimeSeconds } from '../contract/limits.ts';
import { objectKeyPrefix } from '../storage/object-key.ts';
import { tombstones, tombstoneTag } from '../storage/tombstone.ts';
import { allow } from './allow.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { Configuration } from './settings.ts';

export interface UploadsBucketProps {
  readonly lifecycle: Lifecycle;
  readonly supersededRetentionDays: number;
  /** ARNs of roles of other accounts. */
  readonly contentReaders: readonly string[];
}

/** Stores every upload, under `uploads/`, while it is the content of a file. */
export class UploadsBucket extends Construct {
  readonly bucketName: string;
  private readonly bucket: Bucket;

  constructor(scope: Construct, id: string, props: UploadsBucketProps) {
    super(scope, id);
    this.bucket = new Bucket(this, 'Bucket', {
      versioned: true,
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      enforceSSL: true,
      lifecycleRules: [
        {
          // Current content is kept. Noncurrent content, after a deletion or a tombstone, is deleted after
          // this time.
          noncurrentVersionExpiration: Duration.days(props.supersededRetentionDays),
          abortIncompleteMultipartUploadAfter: Duration.days(1),
          // Removes the delete marker of a key without other versions.
          expiredObjectDeleteMarker: true,
        },
        // A tombstone is deleted too, after at least a day. Every URL expires sooner, so a key is never free
        // while its URL is valid.
        ...tombstones.map((tombstone) => ({
          tagFilters: { [tombstoneTag]: tombstone },
          expiration: Duration.days(props.supersededRetentionDays),
        })),
      ],
      removalPolicy: props.lifecycle.removalPolicy,
      autoDeleteObjects: props.lifecycle.emptyOnRemoval,
    });
    this.bucketName = this.bucket.bucketName;
    // The CDK's own `eventBridgeEnabled` would add a function to the stack for this property.
    cfnBucketOf(this.bucket).notificationConfiguration = {
      eventBridgeConfiguration: { eventBridgeEnabled: true },
    };
    this.denyOldSignatures();
    if (props.contentReaders.length > 0) {
      this.allowReading(props.contentReaders);
    }
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-S1',
      reason:
        'The uploads table records the client, time and outcome of each upload URL. Otherwise only operators write, and ' +
        'only empty tombstones. Server access logs would copy signed query strings to a second bucket.',
    });
  }

  /** Host of upload URLs, in any partition (S3 User Guide, "Using S3 dual-stack endpoints"). */
  hostFor(ipAddressType: Configuration['ipAddressType']): string {
    const { region, urlSuffix } = Stack.of(this);
    const service = ipAddressType === 'dualstack' ? 's3.dualstack' : 's3';
    return Fn.join('.', [this.bucketName, service, region, urlSuffix]);
  }

  /** Allows putting any upload. For the upload signer role: the policy of each session narrows it to one key. */
  grantPutUploads(role: Role): void {
    allow(role, ['s3:PutObject'], this.uploadsArn);
    this.acknowledgeUploadsWildcard(
      role,
      'Object keys are made when upload URLs are issued, so the role can name none of them. Each of its sessions is ' +
        'narrowed to one key by a session policy.',
    );
  }

  /**
   * Allows the reads of an object for recording: its tags, which identify a tombstone, and the checksum that
   * S3 computed. HeadObject of a version requires the permission to read the version, and no condition
   * narrows that permission to the headers (docs/aws-facts.md, `s3-head-version-permission`).
   */
  grantReadFacts(role: Role): void {
    allow(role, ['s3:GetObjectVersionTagging', 's3:GetObjectVersion'], this.uploadsArn);
    this.acknowledgeUploadsWildcard(
      role,
      'Object keys are made when upload URLs are issued, so the role can name none of them.',
    );
  }

  /**
   * Allows checking for an object at a key. For a key without object, HeadObject responds with 404 to a
   * caller who may list the bucket, and otherwise 403 (docs/aws-facts.md, `s3-existence-hidden`). If a 403
   * counted as "no object", a lost permission would expire uploads that were stored.
   */
  grantHeadUploads(grantee: IGrantable): void {
    allow(grantee, ['s3:GetObject'], this.uploadsArn);
    allow(grantee, ['s3:ListBucket'], this.bucket.bucketArn);
  }

  /**
   * Allows deleting objects, but not their versions: deleted content is kept for the same time as replaced
   * content.
   */
  grantDeleteReplaced(grantee: IGrantable): void {
    allow(grantee, ['s3:DeleteObject'], this.uploadsArn);
  }

  private get uploadsArn(): string {
    return this.bucket.arnForObjects(`${objectKeyPrefix}*`);
  }

  private denyOldSignatures(): void {
    this.bucket.addToResourcePolicy(
      new PolicyStatement({
        effect: Effect.DENY,
        principals: [new AnyPrincipal()],
        actions: ['s3:PutObject'],
        resources: [this.bucket.arnForObjects('*')],
        // Milliseconds (S3 API reference, "Bucket policy examples using condition keys", s3:signatureAge).
        conditions: { NumericGreaterThan: { 's3:signatureAge': uploadUrlLifetimeSeconds * 1000 } },
      }),
    );
  }

  /**
   * Lets roles of other accounts read content, if policies of their accounts also allow it. The principal is
   * the account, narrowed to the role: S3 rejects a policy that names a missing role, and no longer
   * recognises a role that was deleted and recreated (IAM User Guide, "AWS JSON policy elements: Principal").
   */
  private allowReading(roleArns: readonly string[]): void {
    const accounts = new Set(roleArns.map((arn) => arn.replace(/:role\/.*/, ':root')));
    this.bucket.addToResourcePolicy(
      new PolicyStatement({
        principals: [...accounts].map((account) => new ArnPrincipal(account)),
        actions: ['s3:GetObject', 's3:GetObjectVersion'],
        resources: [this.uploadsArn],
        conditions: { ArnEquals: { 'aws:PrincipalArn': roleArns } },
      }),
    );
  }

  private acknowledgeUploadsWildcard(role: Role, reason: string): void {
    const bucket = this.bucket.stack.getLogicalId(cfnBucketOf(this.bucket));
    const id = `AwsSolutions-IAM5[Resource::<${bucket}.Arn>/${objectKeyPrefix}*]`;
    Validations.of(role).acknowledge({ id, reason });
  }
}

function cfnBucketOf(bucket: Bucket): CfnBucket {
  const resource = bucket.node.defaultChild;
  if (!(resource instanceof CfnBucket)) {
    throw new Error('The bucket has no CloudFormation resource');
  }
  return resource;
}
