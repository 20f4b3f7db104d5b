import type { StackOutputs } from './stack-outputs.ts';

/** Settings that every AWS client of a command gets. Absent: the SDK's own default chains decide. */
export interface AwsConfig {
  readonly region?: string;
  readonly endpoint?: string;
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

/** A running service, as a command needs to know it: the names of its resources and the way to AWS. */
export interface Deployment {
  readonly outputs: StackOutputs;
  readonly awsConfig: AwsConfig;
}

export { localDeployment } from './local-deployment.ts';
export { stackDeployment } from './stack-deployment.ts';
