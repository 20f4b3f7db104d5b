import { AwsError } from '../shared/errors.ts';
import type { Log } from '../shared/log.ts';
import type { StackIdentity } from '../shared/names.ts';
import type { RequestContext } from './condition.ts';
import { type Decision, evaluate } from './evaluate.ts';
import { parsePolicy, type Statement } from './policy.ts';
import type { PolicyStore } from './policy-store.ts';
import { callerName, type Principal, roleNameOf } from './principal.ts';

/** An AWS call that needs authorization. */
export interface Call {
  readonly principal: Principal;
  /** `service:Operation`. */
  readonly action: string;
  readonly resource: string;
  /** Values that this call adds to the request context. */
  readonly context?: RequestContext;
}

/**
 * Authorizes a call by every policy that applies to it, and logs a rejection. Each service calls this before
 * it acts.
 */
export type Authorize = (call: Call) => Decision;

/** Authorizes calls in the account of a stack. */
export interface Access {
  readonly authorize: Authorize;
  readonly stack: StackIdentity;
}

/** The only place that decides about access. */
export function authorizeByPolicies(policies: PolicyStore, stack: StackIdentity, log: Log): Authorize {
  return (call) => {
    const { principal, action, resource } = call;
    const decision = evaluate(
      {
        principal,
        principalArns: principalArns(principal, stack),
        action,
        resource,
        context: { ...commonContext(principal, stack), ...call.context },
      },
      {
        accountId: stack.accountId,
        identity: principal.kind === 'session' ? policies.ofRole(principal.roleArn) : [],
        session: sessionPolicyOf(principal),
        resource: policies.ofResource(resource),
        resourceMustAgree: action.startsWith('kms:') || action.startsWith('sts:'),
      },
    );
    if (!decision.allowed) {
      log(denialLine(call, decision));
    }
    return decision;
  };
}

/** @throws {AwsError} when the call is not allowed: by most services with 400 AccessDeniedException */
export function requireAllowed(
  call: Call,
  { authorize, stack }: Access,
  [status, code]: readonly [status: number, code: string] = [400, 'AccessDeniedException'],
): void {
  const decision = authorize(call);
  if (!decision.allowed) {
    throw new AwsError(status, code, accessDeniedText(call, decision, stack));
  }
}

/**
 * Returns AWS's message for a rejected call (IAM User Guide, "Troubleshoot access denied error messages").
 */
function accessDeniedText(
  { principal, action, resource }: Call,
  { reason, by }: Denial,
  stack: StackIdentity,
): string {
  const text = `User: ${callerName(principal, stack)} is not authorized to perform: ${action} on resource: ${resource}`;
  const isDenial = reason === 'explicit-deny' && by === 'the resource policy';
  return isDenial ? `${text} with an explicit deny in a resource-based policy` : text;
}

type Denial = Exclude<Decision, { allowed: true }>;

function denialLine(call: Call, decision: Denial): Record<string, unknown> {
  const { principal, action, resource } = call;
  return {
    level: 'warn',
    message: 'access denied',
    role: principal.kind === 'session' ? roleNameOf(principal.roleArn) : principal.kind,
    session: principal.kind === 'session' ? principal.sessionName : undefined,
    action,
    resource,
    reason: decision.reason,
    by: decision.by,
  };
}

function principalArns(principal: Principal, stack: StackIdentity): string[] {
  if (principal.kind === 'service') {
    return [];
  }
  const caller = callerName(principal, stack);
  return principal.kind === 'operator' ? [caller] : [principal.roleArn, caller];
}

/**
 * Condition keys of every request. The emulator's endpoint uses plain HTTP, on the loopback interface only.
 * It stands for the TLS endpoint of AWS: a policy that denies insecure transport does not reject requests
 * here.
 */
function commonContext(principal: Principal, stack: StackIdentity): RequestContext {
  const isService = String(principal.kind === 'service');
  const secure = { 'aws:SecureTransport': 'true', 'aws:PrincipalIsAWSService': isService };
  if (principal.kind === 'service') {
    return { ...secure, 'aws:SourceAccount': stack.accountId, 'aws:SourceArn': principal.sourceArn };
  }
  const arn = principal.kind === 'session' ? principal.roleArn : callerName(principal, stack);
  return {
    ...secure,
    'aws:PrincipalArn': arn,
    ...(principal.sourceIp !== undefined && { 'aws:SourceIp': principal.sourceIp }),
  };
}

/** Session policy of a caller, already checked by AssumeRole. */
function sessionPolicyOf(principal: Principal): readonly Statement[] | undefined {
  return principal.kind === 'session' && principal.sessionPolicy !== undefined
    ? parsePolicy(JSON.parse(principal.sessionPolicy), 'identity', 'session policy')
    : undefined;
}
