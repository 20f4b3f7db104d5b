import { matchesCondition, matchesWildcard, type RequestContext } from './condition.ts';
import type { PrincipalMatcher, Statement } from './policy.ts';
import type { Principal } from './principal.ts';

/** A call to evaluate. */
interface AccessRequest {
  readonly principal: Principal;
  /** ARNs of the caller: the session and its role. Empty for an AWS service. */
  readonly principalArns: readonly string[];
  /** `service:Operation`. */
  readonly action: string;
  readonly resource: string;
  readonly context: RequestContext;
}

/** Policies that apply to a call. */
interface ApplicablePolicies {
  readonly accountId: string;
  /** Statements of the role's policies; empty for a service. */
  readonly identity: readonly Statement[];
  /** Statements of the session policy; undefined when the session has none. */
  readonly session: readonly Statement[] | undefined;
  /** Statements of the resource's policy; undefined when the resource has none. */
  readonly resource: readonly Statement[] | undefined;
  /** True for keys and AssumeRole: the policy of the key or role must allow the call (KMS and IAM User Guides). */
  readonly resourceMustAgree: boolean;
}

export type Decision =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly reason: 'explicit-deny' | 'not-allowed'; readonly by: string };

type Grant = 'direct' | 'to-account' | 'none';

/**
 * Evaluates the policies for a call (IAM User Guide, "Policy evaluation logic" and "Cross-account policy
 * evaluation logic"). The policies of another account are not known here: the session policy of its role
 * replaces them.
 */
export function evaluate(request: AccessRequest, policies: ApplicablePolicies): Decision {
  const denial = findDenial(request, policies);
  if (denial !== undefined) {
    return { allowed: false, reason: 'explicit-deny', by: denial };
  }

  // The operator may do everything, except for calls that only the policy of a resource can allow.
  const byIdentity = request.principal.kind === 'operator' || allows(policies.identity, request);
  const grant = resourceGrant(request, policies);
  if (request.principal.kind === 'service') {
    return grant === 'direct' ? { allowed: true } : notAllowed('the resource policy');
  }
  const isCrossAccount = accountOf(request, policies) !== policies.accountId;
  if ((isCrossAccount || policies.resourceMustAgree) && grant === 'none') {
    return notAllowed('the resource policy');
  }
  if (isCrossAccount ? policies.session === undefined : grant !== 'direct' && !byIdentity) {
    return notAllowed('the role');
  }
  if (policies.session !== undefined && !allows(policies.session, request)) {
    return notAllowed('the session policy');
  }
  return { allowed: true };
}

/** Returns the account of the caller. The account of a session is the account of its role. */
function accountOf({ principal }: AccessRequest, { accountId }: ApplicablePolicies): string {
  return principal.kind === 'session' ? (principal.roleArn.split(':')[4] ?? '') : accountId;
}

function notAllowed(by: string): Decision {
  return { allowed: false, reason: 'not-allowed', by };
}

function findDenial(request: AccessRequest, policies: ApplicablePolicies): string | undefined {
  const accountId = accountOf(request, policies);
  const aboutCaller = policies.resource?.filter(
    ({ Principal }) => names(Principal, request, accountId) !== 'none',
  );
  const sources = [
    ['the role', policies.identity],
    ['the session policy', policies.session ?? []],
    ['the resource policy', aboutCaller ?? []],
  ] as const;
  return sources.find(([, statements]) =>
    statements.some((it) => it.Effect === 'Deny' && applies(it, request)),
  )?.[0];
}

function allows(statements: readonly Statement[], request: AccessRequest): boolean {
  return statements.some((it) => it.Effect === 'Allow' && applies(it, request));
}

function resourceGrant(request: AccessRequest, policies: ApplicablePolicies): Grant {
  const grants = (policies.resource ?? [])
    .filter((it) => it.Effect === 'Allow' && applies(it, request))
    .map((it) => names(it.Principal, request, accountOf(request, policies)));
  return grants.find((grant) => grant === 'direct') ?? grants.find((grant) => grant !== 'none') ?? 'none';
}

function applies(statement: Statement, request: AccessRequest): boolean {
  const { Action: action, Resource: resource } = statement;
  // The names of actions ignore case, unlike resources.
  const called = request.action.toLowerCase();
  if (!action.some((it) => matchesWildcard(it.toLowerCase(), called))) {
    return false;
  }
  if (resource !== undefined && !resource.some((it) => matchesWildcard(it, request.resource))) {
    return false;
  }
  return statement.Condition.every((test) => matchesCondition(test, request.context));
}

/**
 * Returns the way in which the Principal of a statement names the caller: directly, by the caller's account,
 * or not at all.
 */
function names(matcher: PrincipalMatcher | undefined, request: AccessRequest, accountId: string): Grant {
  if (matcher === undefined) {
    return 'none';
  }
  if (matcher.AWS.includes('*')) {
    return 'direct';
  }
  if (request.principal.kind === 'service') {
    return matcher.Service.includes(request.principal.service) ? 'direct' : 'none';
  }
  if (matcher.AWS.some((arn) => request.principalArns.includes(arn))) {
    return 'direct';
  }
  const isAccount = (name: string) =>
    name === accountId || new RegExp(`^arn:[^:]+:iam::${accountId}:root$`).test(name);
  return matcher.AWS.some(isAccount) ? 'to-account' : 'none';
}
