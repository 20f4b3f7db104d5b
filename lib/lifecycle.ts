import { RemovalPolicy } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Stage } from './configuration.ts';

/** What happens to resources that hold something when the stack goes. */
export interface Lifecycle {
  readonly removalPolicy: RemovalPolicy;
  /** Refuse deletion, even of a resource that the stack would delete. */
  readonly deletionProtection: boolean;
  /** Delete the objects of a bucket together with the bucket. */
  readonly emptyOnRemoval: boolean;
  readonly logRetention: RetentionDays;
}

const lifecycles: { readonly [Name in Stage]: Lifecycle } = {
  prod: {
    removalPolicy: RemovalPolicy.RETAIN,
    deletionProtection: true,
    emptyOnRemoval: false,
    logRetention: RetentionDays.THREE_MONTHS,
  },
  dev: {
    removalPolicy: RemovalPolicy.DESTROY,
    deletionProtection: false,
    emptyOnRemoval: true,
    logRetention: RetentionDays.ONE_WEEK,
  },
};

export function lifecycleOf(stage: Stage): Lifecycle {
  return lifecycles[stage];
}
