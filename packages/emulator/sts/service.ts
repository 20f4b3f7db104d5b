import type { CredentialIssuer } from '../authentication/credentials.ts';
import { type Authorize, requireAllowed } from '../iam/authorize.ts';
import { parsePolicy, requireStatements } from '../iam/policy.ts';
import { callerName, roleNameOf, sessionArn } from '../iam/principal.ts';
import { findOperation, type Service, type ServiceCall } from '../protocols/service.ts';
import { AwsError } from '../shared/errors.ts';
import type { StackIdentity } from '../shared/names.ts';

/**
 * Longest session of a role in seconds: the default of MaxSessionDuration, and the most when another session of a role
 * assumes it (IAM, "Roles terms and concepts", role chaining).
 */
const longestSession = 3600;

const shortestSession = 900;

/** Largest session policy (STS API reference, AssumeRole). */
const largestSessionPolicyCharacters = 2048;

export interface StsParts {
  readonly stack: StackIdentity;
  readonly credentials: CredentialIssuer;
  readonly authorize: Authorize;
  readonly now: () => Date;
}

/** STS (API reference, version 2011-06-15): AssumeRole and GetCallerIdentity. */
export function createSts(parts: StsParts): Service {
  const operations = { AssumeRole: assumeRole, GetCallerIdentity: getCallerIdentity };
  return async (call) => findOperation(operations, call.operation)(call, parts);
}

function assumeRole(call: ServiceCall, parts: StsParts) {
  const allowed = new Set(['Action', 'Version', 'RoleArn', 'RoleSessionName', 'Policy', 'DurationSeconds']);
  const unknown = Object.keys(call.input).filter((name) => !allowed.has(name));
  if (unknown.length > 0) {
    throw invalid(`unsupported parameter ${unknown.join(', ')}`);
  }
  const { stack, now, credentials } = parts;
  const roleArn = requireText(call.input, 'RoleArn', /^arn:[\w-]+:iam::\d+:role\/./);
  const sessionName = requireText(call.input, 'RoleSessionName', /^[\w+=,.@-]{2,64}$/);
  // The trust policy of the role must allow it. A role that does not exist is refused in the same words.
  const access = { principal: call.principal, action: 'sts:AssumeRole', resource: roleArn };
  requireAllowed(access, parts, [403, 'AccessDenied']);
  const duration = requireDuration(call.input.DurationSeconds);
  const sessionPolicy = requirePolicy(call.input.Policy);
  const expiresAt = new Date(now().getTime() + duration * 1000);
  const session = {
    kind: 'session',
    roleArn,
    sessionName,
    ...(sessionPolicy === undefined ? {} : { sessionPolicy }),
  } as const;
  const issued = credentials.issue(session, expiresAt);
  return {
    Credentials: {
      AccessKeyId: issued.accessKeyId,
      SecretAccessKey: issued.secretAccessKey,
      SessionToken: issued.sessionToken ?? '',
      Expiration: expiresAt.toISOString().replace(/\.\d+Z$/, 'Z'),
    },
    AssumedRoleUser: {
      AssumedRoleId: `AROA${roleNameOf(roleArn)}:${sessionName}`,
      Arn: sessionArn(roleArn, sessionName, stack),
    },
  };
}

function requireText(input: ServiceCall['input'], name: string, pattern: RegExp): string {
  const value = input[name];
  if (typeof value !== 'string' || !pattern.test(value)) {
    throw invalid(`Value at '${name}' failed to satisfy constraint: ${pattern.source}`);
  }
  return value;
}

function requireDuration(value: unknown = longestSession): number {
  const seconds = Number(value);
  if (!Number.isInteger(seconds) || seconds < shortestSession || seconds > longestSession) {
    throw invalid(`DurationSeconds must be from ${shortestSession} to ${longestSession} here`);
  }
  return seconds;
}

function requirePolicy(policy: unknown): string | undefined {
  if (policy === undefined) {
    return undefined;
  }
  if (typeof policy !== 'string' || policy.length > largestSessionPolicyCharacters) {
    throw invalid("Value at 'Policy' must have at most 2048 characters");
  }
  try {
    const where = 'session policy';
    requireStatements(parsePolicy(JSON.parse(policy), 'identity', where), where);
  } catch (error) {
    throw new AwsError(
      400,
      'MalformedPolicyDocument',
      error instanceof Error ? error.message : String(error),
    );
  }
  return policy;
}

/** Nobody can be denied this operation (STS API reference, GetCallerIdentity). */
function getCallerIdentity({ principal }: ServiceCall, { stack }: StsParts) {
  const userId =
    principal.kind === 'session'
      ? `AROA${roleNameOf(principal.roleArn)}:${principal.sessionName}`
      : 'AIDAOPERATOR';
  return { Arn: callerName(principal, stack), UserId: userId, Account: stack.accountId };
}

function invalid(text: string): AwsError {
  return new AwsError(400, 'ValidationError', text);
}
