import * as v from 'valibot';
import { requireAllowed } from '../iam/authorize.ts';
import { parsePolicy, requireStatements } from '../iam/policy.ts';
import { callerName, roleNameOf, sessionArn } from '../iam/principal.ts';
import { parseInput } from '../protocols/parse-input.ts';
import { findOperation, type Service, type ServiceCall } from '../protocols/service.ts';
import type { AwsService, ServiceContext } from '../registry/aws-service.ts';
import { isoSeconds } from '../shared/clock.ts';
import { AwsError, textOf } from '../shared/errors.ts';
import { optionalText } from '../shared/resource-type.ts';

/** STS. It stores no state, and defines no resources. */
export const sts = {
  resourceTypes: [],
  start: async (emulator) => ({
    endpoint: {
      protocol: 'query',
      name: 'sts',
      namespace: 'https://sts.amazonaws.com/doc/2011-06-15/',
      serve: createSts(emulator),
    },
  }),
} satisfies AwsService;

const assumeRoleSchema = v.strictObject({
  Version: optionalText,
  RoleArn: v.string(),
  RoleSessionName: v.pipe(v.string(), v.regex(/^[\w+=,.@-]{2,64}$/)),
  /** In characters (STS API reference, AssumeRole). */
  Policy: v.optional(v.pipe(v.string(), v.maxLength(2048))),
  /**
   * In seconds. The longest session is the default of MaxSessionDuration, and the maximum when another
   * session of a role assumes the role (IAM, "Roles terms and concepts", role chaining).
   */
  DurationSeconds: v.optional(
    v.pipe(v.string(), v.transform(Number), v.integer(), v.minValue(900), v.maxValue(3600)),
    '3600',
  ),
});

/** STS (API reference, version 2011-06-15): AssumeRole and GetCallerIdentity. */
function createSts(emulator: ServiceContext): Service {
  const operations = { AssumeRole: assumeRole, GetCallerIdentity: getCallerIdentity };
  return async (call) => findOperation(operations, call.operation)(call, emulator);
}

function assumeRole({ principal, input }: ServiceCall, emulator: ServiceContext) {
  const { stack, now, credentials } = emulator;
  const parsed = parseInput(assumeRoleSchema, input, 'ValidationError');
  const { RoleArn: roleArn, RoleSessionName: sessionName, Policy: sessionPolicy } = parsed;
  // The trust policy of the role must allow the call. For a role that does not exist the error is the same.
  const access = { principal, action: 'sts:AssumeRole', resource: roleArn };
  requireAllowed(access, emulator, [403, 'AccessDenied']);
  checkPolicy(sessionPolicy);
  const expiresAt = new Date(now().getTime() + parsed.DurationSeconds * 1000);
  const session = { kind: 'session', roleArn, sessionName, sessionPolicy } as const;
  const issued = credentials.issue(session, expiresAt);
  return {
    Credentials: {
      AccessKeyId: issued.accessKeyId,
      SecretAccessKey: issued.secretAccessKey,
      SessionToken: issued.sessionToken ?? '',
      Expiration: isoSeconds(expiresAt),
    },
    AssumedRoleUser: {
      AssumedRoleId: `AROA${roleNameOf(roleArn)}:${sessionName}`,
      Arn: sessionArn(roleArn, sessionName, stack),
    },
  };
}

function checkPolicy(policy: string | undefined): void {
  try {
    const where = 'session policy';
    if (policy !== undefined) {
      requireStatements(parsePolicy(JSON.parse(policy), 'identity', where), where);
    }
  } catch (error) {
    throw new AwsError(400, 'MalformedPolicyDocument', textOf(error));
  }
}

/** Nobody can be denied this operation (STS API reference, GetCallerIdentity). */
function getCallerIdentity({ principal, input }: ServiceCall, { stack }: ServiceContext) {
  parseInput(v.strictObject({ Version: optionalText }), input, 'ValidationError');
  const userId =
    principal.kind === 'session'
      ? `AROA${roleNameOf(principal.roleArn)}:${principal.sessionName}`
      : 'AIDAOPERATOR';
  return { Arn: callerName(principal, stack), UserId: userId, Account: stack.accountId };
}
