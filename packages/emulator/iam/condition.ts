/** Values of the condition keys of one request. A key without a value is absent from the request context. */
export type RequestContext = Readonly<Record<string, string>>;

/**
 * The condition keys that requests have here. A policy that asks for another key could not be evaluated, so it stops
 * the start. The names of keys ignore case.
 */
export const conditionKeys: readonly RegExp[] = [
  /^aws:SecureTransport$/i,
  /^aws:PrincipalArn$/i,
  /^aws:PrincipalAccount$/i,
  /^aws:PrincipalIsAWSService$/i,
  /^aws:PrincipalServiceName$/i,
  /^aws:SourceAccount$/i,
  /^aws:SourceArn$/i,
  /^s3:signatureAge$/i,
  /^s3:authType$/i,
  /^s3:RequestObjectTag\/.+$/i,
  /^s3:prefix$/i,
  /^s3:if-none-match$/i,
  /^kms:ViaService$/i,
  /^kms:CallerAccount$/i,
  /^kms:EncryptionContext:Secret(ARN|VersionId)$/i,
  /^sts:RoleSessionName$/i,
  /^events:source$/i,
  /^events:detail-type$/i,
];

type Compare = (wanted: string, actual: string) => boolean;

const comparisons: Readonly<Record<string, Compare>> = {
  StringEquals: (wanted, actual) => wanted === actual,
  StringEqualsIgnoreCase: (wanted, actual) => wanted.toLowerCase() === actual.toLowerCase(),
  StringLike: matchesWildcard,
  // AWS evaluates both in the same way, with wildcards.
  ArnEquals: matchesArn,
  ArnLike: matchesArn,
  Bool: (wanted, actual) => wanted.toLowerCase() === actual.toLowerCase(),
  NumericEquals: (wanted, actual) => Number(actual) === Number(wanted),
  NumericLessThan: (wanted, actual) => Number(actual) < Number(wanted),
  NumericLessThanEquals: (wanted, actual) => Number(actual) <= Number(wanted),
  NumericGreaterThan: (wanted, actual) => Number(actual) > Number(wanted),
  NumericGreaterThanEquals: (wanted, actual) => Number(actual) >= Number(wanted),
};

/** Operators that hold when none of the values matches. They hold for an absent key as well. */
const negations: Readonly<Record<string, string>> = {
  StringNotEquals: 'StringEquals',
  StringNotEqualsIgnoreCase: 'StringEqualsIgnoreCase',
  StringNotLike: 'StringLike',
  ArnNotEquals: 'ArnEquals',
  ArnNotLike: 'ArnLike',
  NumericNotEquals: 'NumericEquals',
};

const plainOperators = [...Object.keys(comparisons), ...Object.keys(negations)];

/** Every operator that {@link holds} understands. */
export const conditionOperators: ReadonlySet<string> = new Set([
  ...plainOperators,
  ...plainOperators.map((operator) => `${operator}IfExists`),
  'Null',
]);

/** The form that an operator's values must have, where that is not any text. */
const valueForms: readonly (readonly [RegExp, RegExp, string])[] = [
  [/^Numeric/, /^-?\d+(\.\d+)?$/, 'numbers'],
  [/^(Bool|Null)/, /^(true|false)$/i, 'true or false'],
];

/** Why an operator does not accept a value, to complete "the operator ..."; undefined when it does. */
export function valueProblem(operator: string, value: string): string | undefined {
  const [, form, name] = valueForms.find(([operators]) => operators.test(operator)) ?? [];
  return form === undefined || form.test(value) ? undefined : `takes ${name}, not ${JSON.stringify(value)}`;
}

/** Whether one test of a statement's Condition holds (IAM User Guide, "IAM JSON policy elements: Condition operators"). */
export function holds(
  test: { readonly operator: string; readonly key: string; readonly values: readonly string[] },
  context: RequestContext,
): boolean {
  const actual = contextValue(context, test.key);
  if (test.operator === 'Null') {
    return test.values.some((value) => (value.toLowerCase() === 'true') === (actual === undefined));
  }
  const optional = test.operator.endsWith('IfExists');
  const operator = optional ? test.operator.slice(0, -'IfExists'.length) : test.operator;
  const negated = negations[operator];
  if (actual === undefined) {
    return optional || negated !== undefined;
  }
  const compare = comparisons[negated ?? operator];
  if (compare === undefined) {
    throw new Error(`unknown condition operator ${test.operator}`);
  }
  const matches = test.values.some((wanted) => compare(wanted, actual));
  return negated === undefined ? matches : !matches;
}

function contextValue(context: RequestContext, key: string): string | undefined {
  const wanted = key.toLowerCase();
  return Object.entries(context).find(([name]) => name.toLowerCase() === wanted)?.[1];
}

/** Whether a text matches a pattern in which `*` stands for any characters and `?` for one. */
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
 * Whether an ARN matches a pattern. Each of the six parts must match by itself: a wildcard does not match a colon
 * before the resource part (IAM User Guide, "Amazon Resource Name (ARN) condition operators").
 */
export function matchesArn(pattern: string, arn: string): boolean {
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
