import { type IGrantable, PolicyStatement } from 'aws-cdk-lib/aws-iam';

/** One permission. Its actions have no wildcard, and its resources belong to this stack. */
export interface Permission {
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  /** Conditions by operator and key. */
  readonly conditions?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/**
 * Adds one statement to the grantee's own policy. The grant methods of our constructs use it, because the CDK's own grant
 * methods allow many actions where one is enough.
 */
export function allow(grantee: IGrantable, permission: Permission): void {
  grantee.grantPrincipal.addToPrincipalPolicy(
    new PolicyStatement({
      actions: [...permission.actions],
      resources: [...permission.resources],
      ...(permission.conditions && { conditions: permission.conditions }),
    }),
  );
}
