import type { StackIdentity } from '../shared/names.ts';

/** Identity behind a request. */
export type Principal =
  /** The account's administrator. */
  | { readonly kind: 'operator'; readonly sourceIp?: string }
  /** A session of a role, as functions use it. */
  | {
      readonly kind: 'session';
      readonly roleArn: string;
      readonly sessionName: string;
      /** JSON text of the session policy in the call of AssumeRole. */
      readonly sessionPolicy?: string | undefined;
      /** Address of the request. Absent in the credentials of the session. */
      readonly sourceIp?: string;
    }
  /** An AWS service that acts for a resource. */
  | { readonly kind: 'service'; readonly service: string; readonly sourceArn: string };

export type RoleSession = Extract<Principal, { kind: 'session' }>;

/** Returns the name of the caller in AWS's error messages. */
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

/** Returns the name of a role: the last part of its ARN, which may contain a path. */
export function roleNameOf(roleArn: string): string {
  return roleArn.slice(roleArn.lastIndexOf('/') + 1);
}

/** Returns the ARN of a session of a role (STS, AssumedRoleUser). */
export function sessionArn(roleArn: string, sessionName: string, stack: StackIdentity): string {
  return `arn:${stack.partition}:sts::${stack.accountId}:assumed-role/${roleNameOf(roleArn)}/${sessionName}`;
}
