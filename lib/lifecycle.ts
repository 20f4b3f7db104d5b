import { RemovalPolicy } from 'aws-cdk-lib';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Configuration, Stage } from './settings.ts';

/** Retention of data and logs, and their protection when the stack is deleted. */
export interface Lifecycle {
  /** Removal policy of resources with data, when the stack is deleted or no longer contains them. */
  readonly removalPolicy: RemovalPolicy;
  /** True if AWS must reject the deletion of the tables and the stack, once the stack is complete. */
  readonly deletionProtection: boolean;
  /** True if the objects of a bucket are deleted with the bucket. */
  readonly emptyOnRemoval: boolean;
  readonly logRetention: RetentionDays;
}

const lifecycles: { readonly [Name in Stage]: Omit<Lifecycle, 'logRetention'> } = {
  prod: {
    // A failed creation leaves no resources: they are new and empty (CloudFormation, "DeletionPolicy
    // attribute").
    removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    deletionProtection: true,
    emptyOnRemoval: false,
  },
  dev: {
    removalPolicy: RemovalPolicy.DESTROY,
    deletionProtection: false,
    emptyOnRemoval: true,
  },
};

export function lifecycleOf({ stage, logRetentionDays }: Configuration): Lifecycle {
  return { ...lifecycles[stage], logRetention: logRetentionDays };
}
