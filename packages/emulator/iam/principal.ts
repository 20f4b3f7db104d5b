import type { StackIdentity } from '../shared/names.ts';

/** Who a request acts for. */
export type Principal =
  /** The account's administrator. */
  | { readonly kind: 'operator' }
  /** A session of a role, such as each function has. */
  | {
      readonly kind: 'session';
      readonly roleArn: string;
      readonly sessionName: string;
      /** JSON text of the session policy that was given to AssumeRole. */
      readonly sessionPolicy?: string | undefined;
    }
  /** A service of AWS that acts for a resource. */
  | { readonly kind: 'service'; readonly service: string; readonly sourceArn: string };

export type RoleSession = Extract<Principal, { kind: 'session' }>;

/** Who called, as AWS names it in an error. */
export function callerName(principal: Principal, stack: StackIdentity): string {
  switch (principal.kind) {
    case 'operator':
      return `arn:${stack.partition}:iam::${stack.accountId}:user/operator`;
    case 'service':
      return principal.service;
    case 'session':
      return sessionArn(principal.roleArn, principal.sessionName, stack);
  }
}

/** Name of a role: the last part of its ARN, which may have a path. */
export function roleNameOf(roleArn: string): string {
  return roleArn.slice(roleArn.lastIndexOf('/') + 1);
}

/** ARN of the session that a role's credentials stand for (STS, AssumedRoleUser). */
export function sessionArn(roleArn: string, sessionName: string, stack: StackIdentity): string {
  return `arn:${stack.partition}:sts::${stack.accountId}:assumed-role/${roleNameOf(roleArn)}/${sessionName}`;
}
