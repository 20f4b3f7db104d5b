import { RemovalPolicy } from 'aws-cdk-lib';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Configuration, Stage } from './settings.ts';

/** How long data and logs are kept, and what protects them when the stack is deleted. */
export interface Lifecycle {
  /** Whether a resource that holds data is deleted with its stack, or when the stack no longer has it. */
  readonly removalPolicy: RemovalPolicy;
  /** Whether AWS refuses to delete the tables and the stack, once the stack is complete. */
  readonly deletionProtection: boolean;
  /** Whether the objects of a bucket are deleted together with the bucket. */
  readonly emptyOnRemoval: boolean;
  readonly logRetention: RetentionDays;
}

const lifecycles: { readonly [Name in Stage]: Omit<Lifecycle, 'logRetention'> } = {
  prod: {
    // A creation that fails leaves nothing: its resources are new and empty (CloudFormation, "DeletionPolicy attribute").
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
