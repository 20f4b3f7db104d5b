/** Whether a text matches a pattern in which `*` stands for any characters and `?` for one. */
export function matchesWildcard(pattern: string, text: string): boolean {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`, 's').test(text);
}

/**
 * Whether an ARN matches a pattern, each of the six parts by itself: a wildcard does not reach over a colon
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
