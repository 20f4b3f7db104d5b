import type { Finding } from './finding.ts';
import { shown } from './replacements.ts';
import { isObject, type Resource, valueAt } from './template.ts';

/**
 * How well a policy keeps a resource that exists. RetainExceptOnCreate keeps it as Retain does: it differs only while
 * the resource is made ("DeletionPolicy attribute", RetainExceptOnCreate).
 */
const strength: Readonly<Record<string, number>> = {
  Delete: 0,
  Snapshot: 1,
  Retain: 2,
  RetainExceptOnCreate: 2,
};

const policies = ['DeletionPolicy', 'UpdateReplacePolicy'] as const;

/** Properties that protect what a resource holds, and the value that protects. */
const protections: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'AWS::DynamoDB::Table': {
    DeletionProtectionEnabled: true,
    'PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled': true,
  },
  'AWS::S3::Bucket': { 'VersioningConfiguration.Status': 'Enabled' },
};

/** Properties that say for how long something is kept. Without a value, it is kept for ever, or for AWS's default. */
const retentions: Readonly<Record<string, readonly string[]>> = {
  'AWS::Logs::LogGroup': ['RetentionInDays'],
  'AWS::SQS::Queue': ['MessageRetentionPeriod'],
};

/**
 * Properties of which CloudFormation refuses a change of an existing key, "which prevents you from accidentally deleting
 * a KMS key" (AWS::KMS::Key).
 */
const refused: Readonly<Record<string, readonly string[]>> = {
  'AWS::KMS::Key': ['KeySpec', 'KeyUsage', 'MultiRegion', 'Origin'],
};

/** What protects a resource less than before, or keeps what it holds for less time. */
export function protectionFindings(id: string, before: Resource, now: Resource): readonly Finding[] {
  return [
    ...policies.flatMap((name) => weakerPolicy(id, name, before[name], now[name])),
    ...Object.entries(protections[now.Type] ?? {}).flatMap(([path, value]) =>
      valueAt(before.Properties, path) === value && valueAt(now.Properties, path) !== value
        ? [weaker(id, path, value, valueAt(now.Properties, path))]
        : [],
    ),
    ...(retentions[now.Type] ?? []).flatMap((path) => shorter(id, path, before, now)),
    ...(now.Type === 'AWS::S3::Bucket' ? expirations(id, before, now) : []),
    ...(refused[now.Type] ?? []).flatMap((path) => refusedChange(id, path, before, now)),
  ];
}

function weakerPolicy(
  id: string,
  name: string,
  before: string | undefined = 'Delete',
  now: string | undefined = 'Delete',
): readonly Finding[] {
  return (strength[now] ?? 0) < (strength[before] ?? 0) ? [weaker(id, name, before, now)] : [];
}

function weaker(id: string, path: string, before: unknown, now: unknown): Finding {
  return {
    kind: 'protection weaker',
    subject: id,
    what: `${path} changes from ${shown(before)} to ${shown(now)}.`,
    why: 'From this update on, a mistake deletes what was protected before: a removed resource, a deleted stack, an overwritten object.',
    next: `Keep ${path}. Whoever wants to delete a deployment can take the protection away there.`,
  };
}

function shorter(id: string, path: string, before: Resource, now: Resource): readonly Finding[] {
  const old = valueAt(before.Properties, path);
  const current = valueAt(now.Properties, path);
  return typeof current === 'number' && (old === undefined || Number(old) > current)
    ? [keptForLess(id, path, old, current)]
    : [];
}

function keptForLess(id: string, path: string, before: unknown, now: unknown): Finding {
  return {
    kind: 'kept for less time',
    subject: id,
    what: `${path} changes from ${shown(before)} to ${shown(now)}.`,
    why: 'AWS deletes what is older than the new time, soon after the update.',
    next: 'Keep the default, and make the time a setting.',
  };
}

/** Days after which a lifecycle rule deletes objects, by the place in the rule. */
const ruleTimes = [
  'ExpirationInDays',
  'NoncurrentVersionExpiration.NoncurrentDays',
  'NoncurrentVersionExpirationInDays',
] as const;

function expirations(id: string, before: Resource, now: Resource): readonly Finding[] {
  return ruleTimes.flatMap((path) => {
    const old = shortest(before, path);
    const current = shortest(now, path);
    return current !== undefined && current < (old ?? Number.POSITIVE_INFINITY)
      ? [keptForLess(id, `LifecycleConfiguration: ${path}`, old, current)]
      : [];
  });
}

/** The shortest time of any enabled rule. A rule for objects with a tag deletes only what the service tagged for it. */
function shortest({ Properties }: Resource, path: string): number | undefined {
  const rules = valueAt(Properties, 'LifecycleConfiguration.Rules');
  const days = (Array.isArray(rules) ? rules : [])
    .filter((rule) => isObject(rule) && rule.Status === 'Enabled' && rule.TagFilters === undefined)
    .map((rule) => valueAt(rule, path))
    .filter((value) => typeof value === 'number');
  return days.length === 0 ? undefined : Math.min(...days);
}

function refusedChange(id: string, path: string, before: Resource, now: Resource): readonly Finding[] {
  const [old, current] = [valueAt(before.Properties, path), valueAt(now.Properties, path)];
  return old === current
    ? []
    : [
        {
          kind: 'change refused',
          subject: id,
          what: `${path} changes from ${shown(old)} to ${shown(current)}.`,
          why: 'CloudFormation refuses this change of a key that exists, so that every deployment of the version fails.',
          next: `Keep ${path}. Add a second key if another kind is needed, and keep this one for what it encrypted.`,
        },
      ];
}
