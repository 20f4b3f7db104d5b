import { type IGrantable, PolicyStatement, type PolicyStatementProps } from 'aws-cdk-lib/aws-iam';

/**
 * Adds one statement to the grantee's own policy. The grant methods of our constructs use it, because the
 * CDK's own grant methods allow many actions where one is sufficient.
 *
 * @param actions action names without a wildcard
 * @param resource ARN of a resource of this stack
 * @param conditions condition values, by operator and key
 *
 * @example
 * ```ts
 * allow(grantee, ['dynamodb:GetItem'], this.tableArn);
 * ```
 */
export function allow(
  grantee: IGrantable,
  actions: string[],
  resource: string,
  conditions: PolicyStatementProps['conditions'] = {},
): void {
  grantee.grantPrincipal.addToPrincipalPolicy(
    new PolicyStatement({ actions, resources: [resource], conditions }),
  );
}
