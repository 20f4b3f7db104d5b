import * as v from 'valibot';
import { AwsError } from '../shared/errors.ts';
import { rotationRulesSchema } from './resource-types.ts';

/** Milliseconds since the epoch. */
const timeSchema = v.number();

/** Binary secrets are not supported. */
const valueSchema = v.object({ text: v.string() });

/**
 * One version of a secret. A rotation begins with a version without a value, and its step createSecret adds the value.
 */
const versionSchema = v.object({
  versionId: v.string(),
  value: v.exactOptional(valueSchema),
  /** Staging labels. A version without a label is deprecated. */
  stages: v.pipe(v.array(v.string()), v.readonly()),
  createdAt: timeSchema,
  /** Key that encrypts the version, if it is not the key of the template. */
  kmsKeyId: v.exactOptional(v.string()),
});

/** Rotation schedule of a secret, with its function. */
const scheduleSchema = v.object({ functionArn: v.string(), rules: rotationRulesSchema, setAt: timeSchema });

/** A stored secret. */
export const secretSchema = v.object({
  arn: v.string(),
  name: v.string(),
  description: v.optional(v.string()),
  createdAt: timeSchema,
  changedAt: timeSchema,
  /** Key set by UpdateSecret, which replaces the key of the template. It encrypts new versions. */
  kmsKeyId: v.exactOptional(v.string()),
  /** End of the last complete rotation. */
  rotatedAt: v.exactOptional(timeSchema),
  /** Schedule set by RotateSecret. */
  schedule: v.exactOptional(scheduleSchema),
  versions: v.pipe(v.array(v.pipe(versionSchema, v.readonly())), v.readonly()),
});

type SchemaOutput<Schema extends v.GenericSchema> = Readonly<v.InferOutput<Schema>>;

type SecretVersion = SchemaOutput<typeof versionSchema>;

export type SecretValue = SchemaOutput<typeof valueSchema>;

export type Schedule = SchemaOutput<typeof scheduleSchema>;

export type Secret = SchemaOutput<typeof secretSchema>;

/** @throws {AwsError} ResourceNotFoundException, in the words of AWS, when there is no such version */
export function findVersion(
  secret: Secret,
  versionId: string | undefined,
  stage: string | undefined,
): SecretVersion & { readonly value: SecretValue } {
  const wantedStage = stage ?? (versionId === undefined ? 'AWSCURRENT' : undefined);
  const version = secret.versions.find(
    (it) =>
      (versionId === undefined || it.versionId === versionId) &&
      (wantedStage === undefined || it.stages.includes(wantedStage)),
  );
  if (version === undefined && secret.versions.some((it) => it.versionId === versionId)) {
    const text = 'You provided a VersionStage that is not associated to the provided VersionId.';
    throw new AwsError(400, 'InvalidRequestException', text);
  }
  if (version?.value === undefined) {
    const sought = versionId === undefined ? `staging label: ${wantedStage}` : `VersionId: ${versionId}`;
    throw notFound(sought);
  }
  return { ...version, value: version.value };
}

/**
 * Stores a value under a version ID. Storing the same value again has no effect.
 *
 * @throws {AwsError} ResourceExistsException when the version already contains another value
 */
export function putValue(
  secret: Secret,
  versionId: string,
  value: SecretValue,
  stages: readonly string[],
  now: number,
): Secret {
  const existing = secret.versions.find((it) => it.versionId === versionId);
  if (existing?.value !== undefined) {
    if (existing.value.text === value.text) {
      return secret;
    }
    const text = "You can't modify an existing version, you can only create a new version.";
    throw new AwsError(400, 'ResourceExistsException', text);
  }
  const version = {
    versionId,
    value,
    stages: existing?.stages ?? [],
    createdAt: existing?.createdAt ?? now,
    ...(secret.kmsKeyId === undefined ? {} : { kmsKeyId: secret.kmsKeyId }),
  };
  const versions = [...secret.versions.filter((it) => it !== existing), version];
  const stored = endRotation({ ...secret, versions, changedAt: now }, stages);
  return stages.reduce<Secret>((result, stage) => moveStage(result, stage, versionId), stored);
}

/**
 * Removes AWSPENDING from a version that loses AWSCURRENT to a new value. The next rotation then creates a
 * new version.
 */
function endRotation(secret: Secret, newStages: readonly string[]): Secret {
  const isCurrent = holderOf(secret, 'AWSPENDING') === holderOf(secret, 'AWSCURRENT');
  return isCurrent && newStages.includes('AWSCURRENT') ? withoutStage(secret, 'AWSPENDING') : secret;
}

function holderOf({ versions }: Secret, stage: string): string | undefined {
  return versions.find(({ stages }) => stages.includes(stage))?.versionId;
}

/** Adds the version of a new rotation, with the label AWSPENDING and without a value. */
export function addPendingVersion(secret: Secret, versionId: string, now: number): Secret {
  const version = { versionId, stages: [], createdAt: now };
  return moveStage({ ...secret, versions: [...secret.versions, version] }, 'AWSPENDING', versionId);
}

/**
 * Moves a staging label, as UpdateSecretVersionStage does.
 *
 * @throws {AwsError} when the request omits the current version of the label, or names a version that does
 * not exist
 */
export function updateStage(
  secret: Secret,
  stage: string,
  moveTo: string | undefined,
  removeFrom: string | undefined,
): Secret {
  const holder = holderOf(secret, stage);
  const reject = (text: string) => new AwsError(400, 'InvalidParameterException', text);
  for (const id of [moveTo, removeFrom]) {
    if (id !== undefined && !secret.versions.some((it) => it.versionId === id)) {
      throw notFound(`VersionId: ${id}`);
    }
  }
  if (removeFrom !== undefined && removeFrom !== holder) {
    throw reject(`The staging label ${stage} isn't attached to the version in RemoveFromVersionId.`);
  }
  if (moveTo === undefined) {
    if (stage === 'AWSCURRENT') {
      throw reject('You can only move staging label AWSCURRENT to a different secret version.');
    }
    return withoutStage(secret, stage);
  }
  if (holder !== undefined && holder !== moveTo && removeFrom === undefined) {
    throw reject(`Staging label ${stage} is attached to version ${holder}: name it in RemoveFromVersionId.`);
  }
  return moveStage(secret, stage, moveTo);
}

function notFound(sought: string): AwsError {
  const text = `Secrets Manager can't find the specified secret value for ${sought}`;
  return new AwsError(400, 'ResourceNotFoundException', text);
}

/** Removes a version, with its labels. */
export function removeVersion(secret: Secret, versionId: string): Secret {
  return { ...secret, versions: secret.versions.filter((it) => it.versionId !== versionId) };
}

/** Returns the version of an unfinished rotation. Such a version has AWSPENDING, and not AWSCURRENT. */
export function unfinishedRotation(secret: Secret): string | undefined {
  const pending = secret.versions.find((it) => it.stages.includes('AWSPENDING'));
  return pending === undefined || pending.stages.includes('AWSCURRENT') ? undefined : pending.versionId;
}

/**
 * Returns version IDs with their labels, as DescribeSecret lists them: versions without a label are omitted.
 */
export function stagesByVersion(secret: Secret): Record<string, readonly string[]> {
  const labelled = secret.versions.filter((it) => it.stages.length > 0);
  return Object.fromEntries(labelled.map((it) => [it.versionId, it.stages]));
}

/**
 * Moves a label. A label is attached to only one version at a time. The version that loses AWSCURRENT
 * receives AWSPREVIOUS.
 */
function moveStage(secret: Secret, stage: string, versionId: string): Secret {
  const from = holderOf(secret, stage);
  if (from === versionId) {
    return secret;
  }
  const cleared = withoutStage(secret, stage);
  const versions = cleared.versions.map((it) =>
    it.versionId === versionId ? { ...it, stages: [...it.stages, stage].toSorted() } : it,
  );
  const moved = { ...cleared, versions };
  return stage === 'AWSCURRENT' && from !== undefined ? moveStage(moved, 'AWSPREVIOUS', from) : moved;
}

function withoutStage(secret: Secret, stage: string): Secret {
  const versions = secret.versions.map((it) => ({
    ...it,
    stages: it.stages.filter((label) => label !== stage),
  }));
  return { ...secret, versions };
}
