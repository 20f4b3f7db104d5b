import type { StackOutputs } from '../../../lib/stack-outputs.ts';

/** Settings of all AWS clients of a command. The SDK's default provider chains supply absent settings. */
export interface AwsConfig {
  readonly region?: string;
  readonly endpoint?: string;
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

/** A running service: the names of its resources, and how to reach AWS. */
export interface Deployment {
  /** Name of the stack, and namespace of the metrics. */
  readonly stackName: string;
  readonly outputs: StackOutputs;
  readonly awsConfig: AwsConfig;
  /** Time of AWS, in milliseconds since the epoch. The clock of the machine may be wrong, so nothing here reads it. */
  readonly now: () => number;
  /** Gets a text for each damaged item that was left out. Whoever opens the deployment shows them. */
  readonly damage?: Set<string>;
}
