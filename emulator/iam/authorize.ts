import type { Principal } from '../authentication/credentials.ts';
import { roleNameOf, sessionArn } from '../shared/names.ts';
import type { Resource, StackIdentity } from '../shared/resource-type.ts';
import type { RequestContext } from './condition.ts';
import { type Decision, evaluate } from './evaluate.ts';
import { parsePolicy, type Statement } from './policy.ts';
import { collectPolicies, type PolicyStore } from './policy-store.ts';

/** One AWS call that somebody wants to make. */
export interface Call {
  readonly principal: Principal;
  /** `service:Operation`. */
  readonly action: string;
  readonly resource: string;
  /** What this call adds to the request context. */
  readonly context?: RequestContext;
}

/** Judges a call against every policy that has a say, and logs a refusal. Each service asks before it acts. */
export type Authorize = (call: Call) => Decision;

/**
 * The one place where access is decided, by the policies of the template.
 *
 * @throws {Error} naming the resource, for a policy with anything in it that cannot be judged
 */
export function createAuthorize(
  resources: readonly Resource[],
  stack: StackIdentity,
  log: (line: Readonly<Record<string, unknown>>) => void,
): Authorize {
  const store = collectPolicies(resources, stack);
  const readSessionPolicy = rememberSessionPolicies();
  return (call) => {
    const decision = evaluate(
      {
        principal: call.principal,
        principalArns: principalArns(call.principal, stack),
        action: call.action,
        resource: call.resource,
        context: { ...commonContext(call.principal, stack), ...call.context },
      },
      {
        accountId: stack.accountId,
        identity: identityPolicy(call.principal, store),
        session: readSessionPolicy(call.principal),
        resource: store.ofResource(call.resource),
        resourceMustAgree: call.action.startsWith('kms:') || call.action.startsWith('sts:'),
      },
    );
    if (!decision.allowed) log(refusal(call, decision));
    return decision;
  };
}

/** Who called, as AWS names it in an error. */
export function callerName(principal: Principal, stack: StackIdentity): string {
  if (principal.kind === 'operator') return `arn:${stack.partition}:iam::${stack.accountId}:user/operator`;
  if (principal.kind === 'service') return principal.service;
  return sessionArn(principal.roleArn, principal.sessionName, stack);
}

/** The sentence with which AWS refuses (IAM User Guide, "Troubleshoot access denied error messages"). */
export function refusalText(call: Call, stack: StackIdentity): string {
  const caller = callerName(call.principal, stack);
  return `User: ${caller} is not authorized to perform: ${call.action} on resource: ${call.resource}`;
}

function refusal(call: Call, decision: Exclude<Decision, { allowed: true }>): Record<string, unknown> {
  return {
    level: 'warn',
    message: 'access denied',
    role: call.principal.kind === 'session' ? roleNameOf(call.principal.roleArn) : call.principal.kind,
    session: call.principal.kind === 'session' ? call.principal.sessionName : undefined,
    action: call.action,
    resource: call.resource,
    reason: decision.reason,
    by: decision.by,
  };
}

function principalArns(principal: Principal, stack: StackIdentity): string[] {
  if (principal.kind === 'service') return [];
  if (principal.kind === 'operator') return [callerName(principal, stack)];
  return [principal.roleArn, callerName(principal, stack)];
}

/**
 * Keys that every request carries. The local endpoint speaks plain HTTP on the loopback interface only and
 * stands for AWS's TLS endpoint, so that a policy which denies insecure transport lets its requests through.
 */
function commonContext(principal: Principal, stack: StackIdentity): RequestContext {
  const secure = { 'aws:SecureTransport': 'true' };
  if (principal.kind === 'service') {
    return {
      ...secure,
      'aws:PrincipalIsAWSService': 'true',
      'aws:PrincipalServiceName': principal.service,
      'aws:SourceAccount': stack.accountId,
      'aws:SourceArn': principal.sourceArn,
    };
  }
  const principalArn = principal.kind === 'session' ? principal.roleArn : callerName(principal, stack);
  return {
    ...secure,
    'aws:PrincipalIsAWSService': 'false',
    'aws:PrincipalAccount': stack.accountId,
    'aws:PrincipalArn': principalArn,
  };
}

function identityPolicy(principal: Principal, store: PolicyStore): readonly Statement[] {
  return principal.kind === 'session' ? store.ofRole(principal.roleArn) : [];
}

/** A session policy was checked when its session was made; reading it again for each call is work only. */
function rememberSessionPolicies(): (principal: Principal) => readonly Statement[] | undefined {
  const known = new Map<string, Statement[]>();
  return (principal) => {
    if (principal.kind !== 'session' || principal.sessionPolicy === undefined) return undefined;
    const remembered = known.get(principal.sessionPolicy);
    if (remembered !== undefined) return remembered;
    const statements = parsePolicy(JSON.parse(principal.sessionPolicy), 'identity', 'session policy');
    if (known.size >= 1000) known.clear();
    known.set(principal.sessionPolicy, statements);
    return statements;
  };
}
