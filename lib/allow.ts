import { type IGrantable, PolicyStatement } from 'aws-cdk-lib/aws-iam';

/** One permission, spelled out: no wildcard in an action, and resources of this stack. */
export interface Permission {
  readonly actions: readonly string[];
  readonly resources: readonly string[];
}

/**
 * Adds one statement to the grantee's own policy. The grant methods of constructs are made of it: those of the
 * CDK hand out whole families of actions where one is used.
 */
export function allow(grantee: IGrantable, permission: Permission): void {
  grantee.grantPrincipal.addToPrincipalPolicy(
    new PolicyStatement({ actions: [...permission.actions], resources: [...permission.resources] }),
  );
}
