import type { CredentialIssuer } from '../authentication/credentials.ts';
import { type Authorize, type Call, refusalText } from '../iam/authorize.ts';
import { parsePolicy, requireStatements } from '../iam/policy.ts';
import { callerName, type Principal, roleNameOf, sessionArn } from '../iam/principal.ts';
import { roleType } from '../iam/resource-types.ts';
import type { Service, ServiceCall } from '../protocols/service.ts';
import { AwsError } from '../shared/errors.ts';
import type { StackIdentity } from '../shared/names.ts';
import { ofType, type Resource } from '../shared/resource-type.ts';

/** Longest session of a role that another role session assumes (IAM, "Roles terms and concepts", role chaining). */
const longestChainedSessionSeconds = 3600;

/** Default of a role's MaxSessionDuration. */
const defaultLongestSessionSeconds = 3600;

/** Largest session policy (STS API reference, AssumeRole). */
const largestSessionPolicyCharacters = 2048;

export interface StsParts {
  readonly resources: readonly Resource[];
  readonly stack: StackIdentity;
  readonly credentials: CredentialIssuer;
  readonly authorize: Authorize;
  readonly now: () => Date;
}

/** STS (API reference, version 2011-06-15): AssumeRole and GetCallerIdentity. */
export function createSts(parts: StsParts): Service {
  const longestSessions = new Map(
    ofType(parts.resources, roleType).map(({ attributes, properties }) => [
      attributes.Arn ?? '',
      properties.MaxSessionDuration ?? defaultLongestSessionSeconds,
    ]),
  );
  return async (call) => {
    if (call.operation === 'AssumeRole') {
      return assumeRole(call, parts, longestSessions);
    }
    if (call.operation === 'GetCallerIdentity') {
      return callerIdentity(call.principal, parts.stack);
    }
    throw new AwsError(400, 'InvalidAction', `Could not find operation ${call.operation}`);
  };
}

async function assumeRole(call: ServiceCall, parts: StsParts, longestSessions: ReadonlyMap<string, number>) {
  const allowed = new Set(['Action', 'Version', 'RoleArn', 'RoleSessionName', 'Policy', 'DurationSeconds']);
  const unknown = Object.keys(call.input).filter((name) => !allowed.has(name));
  if (unknown.length > 0) {
    throw invalid(`unsupported parameter ${unknown.join(', ')}`);
  }
  const { stack, now, credentials } = parts;
  const roleArn = requireArn(call.input.RoleArn);
  const sessionName = requireSessionName(call.input.RoleSessionName);
  requireConsent(call.principal, roleArn, sessionName, parts);
  const duration = requireDuration(call.input.DurationSeconds, call.principal, longestSessions.get(roleArn));
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

/** The trust policy of the role must allow it. A role that does not exist is refused in the same words. */
function requireConsent(principal: Principal, roleArn: string, sessionName: string, parts: StsParts): void {
  const access: Call = {
    principal,
    action: 'sts:AssumeRole',
    resource: roleArn,
    context: { 'sts:RoleSessionName': sessionName },
  };
  if (!parts.authorize(access).allowed) {
    throw new AwsError(403, 'AccessDenied', refusalText(access, parts.stack));
  }
}

/** A role of any account and partition, or else text that is no ARN at all. */
function requireArn(arn: unknown): string {
  if (typeof arn !== 'string' || !/^arn:[\w-]+:[\w-]+:[\w-]*:\d*:[^:]/.test(arn)) {
    throw invalid(`${arn} is invalid`);
  }
  return arn;
}

function requireSessionName(name: unknown): string {
  const refuse = (constraint: string) =>
    invalid(
      `1 validation error detected: Value '${name}' at 'roleSessionName' failed to satisfy constraint: ${constraint}`,
    );
  if (typeof name !== 'string' || !/^[\w+=,.@-]*$/.test(name)) {
    throw refuse('Member must satisfy regular expression pattern: [\\w+=,.@-]*');
  }
  if (name.length < 2 || name.length > 64) {
    throw refuse('Member must have length greater than or equal to 2 and less than or equal to 64');
  }
  return name;
}

function requireDuration(
  value: unknown,
  principal: Principal,
  longest = defaultLongestSessionSeconds,
): number {
  const seconds = value === undefined ? Math.min(3600, longest) : Number(value);
  if (!Number.isInteger(seconds) || seconds < 900) {
    throw invalid(
      "Value at 'durationSeconds' failed to satisfy constraint: Member must have value greater than or equal to 900",
    );
  }
  if (principal.kind === 'session' && seconds > longestChainedSessionSeconds) {
    throw invalid(
      'The requested DurationSeconds exceeds the 1 hour session limit for roles assumed by role chaining',
    );
  }
  if (seconds > longest) {
    throw invalid('The requested DurationSeconds exceeds the MaxSessionDuration set for this role.');
  }
  return seconds;
}

function requirePolicy(policy: unknown): string | undefined {
  if (policy === undefined) {
    return undefined;
  }
  if (typeof policy !== 'string' || policy.length > largestSessionPolicyCharacters) {
    throw invalid(
      "Value at 'policy' failed to satisfy constraint: Member must have length less than or equal to 2048",
    );
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
function callerIdentity(principal: Principal, stack: StackIdentity) {
  const userId =
    principal.kind === 'session'
      ? `AROA${roleNameOf(principal.roleArn)}:${principal.sessionName}`
      : 'AIDAOPERATOR';
  return { Arn: callerName(principal, stack), UserId: userId, Account: stack.accountId };
}

function invalid(text: string): AwsError {
  return new AwsError(400, 'ValidationError', text);
}
