import type { StackOutputs } from '../../../contract/internal/stack-outputs.ts';

/** Settings of all AWS clients of a command. The SDK's default provider chains supply missing settings. */
export interface AwsConfig {
  readonly region?: string;
  readonly endpoint?: string;
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

/** A running service: the names of its resources, and the settings for AWS. */
export interface Deployment {
  /** Name of the stack, and namespace of the metrics. */
  readonly stackName: string;
  readonly outputs: StackOutputs;
  readonly awsConfig: AwsConfig;
  /** True for a local run, which has no stack in CloudFormation, and shows its alarms on the terminal. */
  readonly isLocal?: true;
  /** AWS's time, in milliseconds since the epoch. Do not use the machine's clock, which may be wrong. */
  readonly now: () => number;
  /** Milliseconds that a wrong clock of the machine is behind AWS. Default: 0, for a right clock. */
  readonly skew?: () => number;
  /** A text for each damaged item that was left out, for the opener of the deployment to show. */
  readonly damage?: Set<string>;
}
