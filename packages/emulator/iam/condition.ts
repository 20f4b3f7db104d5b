import { BlockList, isIPv6 } from 'node:net';

/** Values of the condition keys of one request. A key without a value is absent from the request context. */
export type RequestContext = Readonly<Record<string, string>>;

/**
 * Supported condition keys. A policy with another key stops the start because the emulator cannot evaluate
 * it. The names of keys ignore case.
 */
export const conditionKeys: ReadonlySet<string> = new Set(
  [
    'aws:PrincipalArn',
    'aws:PrincipalIsAWSService',
    'aws:SecureTransport',
    'aws:SourceAccount',
    'aws:SourceArn',
    'aws:SourceIp',
    'events:source',
    'kms:EncryptionContext:SecretVersionId',
    'kms:ViaService',
    's3:signatureAge',
    'secretsmanager:KmsKeyArn',
    'secretsmanager:VersionStage',
  ].map((key) => key.toLowerCase()),
);

/** One test of a statement's Condition. */
export interface ConditionTest {
  readonly operator: string;
  readonly key: string;
  readonly values: readonly string[];
}

type Comparison = (wanted: string, actual: string) => boolean;

const comparisons: Readonly<Record<string, Comparison>> = {
  StringEquals: (wanted, actual) => wanted === actual,
  // Every key here has one value.
  'ForAnyValue:StringEquals': (wanted, actual) => wanted === actual,
  // AWS evaluates ArnEquals and ArnLike in the same way, with wildcards.
  ArnEquals: matchesArn,
  ArnLike: matchesArn,
  Bool: (wanted, actual) => wanted.toLowerCase() === actual.toLowerCase(),
  IpAddress: isInRange,
  NumericGreaterThan: (wanted, actual) => Number(actual) > Number(wanted),
};

/** Negated operators. They are also true for a request without the key. */
const negations: Readonly<Record<string, string>> = { ArnNotEquals: 'ArnEquals' };

/** Operators that {@link matchesCondition} supports. */
export const conditionOperators: ReadonlySet<string> = new Set([
  ...Object.keys(comparisons),
  ...Object.keys(negations),
  'Null',
]);

/**
 * Returns true if one test of a statement's Condition passes (IAM User Guide, "IAM JSON policy elements:
 * Condition operators").
 */
export function matchesCondition(test: ConditionTest, context: RequestContext): boolean {
  if (test.operator === 'Null') {
    return test.values.includes(String(contextValue(context, test.key) === undefined));
  }
  const negated = negations[test.operator];
  if (negated !== undefined) {
    return !matchesCondition({ ...test, operator: negated }, context);
  }
  const compare = comparisons[test.operator];
  if (compare === undefined) {
    throw new Error(`unknown condition operator ${test.operator}`);
  }
  const actual = contextValue(context, test.key);
  return actual !== undefined && test.values.some((wanted) => compare(wanted, actual));
}

/** Without a prefix, a range is one address (IAM User Guide, "IP address condition operators"). */
function isInRange(range: string, address: string): boolean {
  const [network = '', prefix] = range.split('/');
  const family = familyOf(network);
  const list = new BlockList();
  list.addSubnet(network, Number(prefix ?? (family === 'ipv6' ? 128 : 32)), family);
  return list.check(address, familyOf(address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}

function contextValue(context: RequestContext, key: string): string | undefined {
  const wanted = key.toLowerCase();
  return Object.entries(context).find(([name]) => name.toLowerCase() === wanted)?.[1];
}

/** Returns true if a text matches a pattern in which `*` stands for any characters and `?` for one. */
export function matchesWildcard(pattern: string, text: string): boolean {
  if (!pattern.includes('*') && !pattern.includes('?')) {
    return pattern === text;
  }
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`, 's').test(text);
}

/**
 * Returns true if an ARN matches a pattern. The six parts are matched separately: a wildcard does not match a
 * colon before the resource part (IAM User Guide, "Amazon Resource Name (ARN) condition operators").
 */
function matchesArn(pattern: string, arn: string): boolean {
  const [wanted, actual] = [splitArn(pattern), splitArn(arn)];
  return (
    wanted.length === 6 &&
    actual.length === 6 &&
    wanted.every((part, i) => matchesWildcard(part, actual[i] ?? ''))
  );
}

function splitArn(arn: string): string[] {
  const parts = arn.split(':');
  return parts.length < 6 ? parts : [...parts.slice(0, 5), parts.slice(5).join(':')];
}
