import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { parseInput } from '../protocols/parse-input.ts';
import { findOperation, type Output, type Service, type ServiceCall } from '../protocols/service.ts';
import type { Surroundings } from '../registry/aws-service.ts';
import { optionalText } from '../shared/resource-type.ts';
import { requireSecretAccess, type SecretKeys } from './access.ts';
import { rotationRulesSchema } from './resource-types.ts';
import type { Rotation } from './rotation.ts';
import { findVersion, putValue, type Secret, stagesByVersion, updateStage } from './secret.ts';
import type { SecretStore } from './store.ts';

export interface SecretsManagerParts extends Surroundings {
  readonly store: SecretStore;
  readonly rotation: Rotation;
  readonly keys: SecretKeys;
}

type Operation = (call: ServiceCall, parts: SecretsManagerParts) => Promise<Output>;

const operations: Readonly<Record<string, Operation>> = {
  GetSecretValue: getSecretValue,
  PutSecretValue: putSecretValue,
  DescribeSecret: describeSecret,
  UpdateSecret: updateSecret,
  UpdateSecretVersionStage: updateSecretVersionStage,
  RotateSecret: rotateSecret,
};

/** Secrets Manager (API reference, version 2017-10-17): the operations for rotations and readers. */
export function createSecretsManager(parts: SecretsManagerParts): Service {
  return async (call) => findOperation(operations, call.operation)(call, parts);
}

async function getSecretValue(call: ServiceCall, parts: SecretsManagerParts) {
  const schema = { VersionId: optionalText, VersionStage: optionalText };
  const { input, secret } = open(parts, call, schema);
  const version = findVersion(secret, input.VersionId, input.VersionStage);
  return {
    ...named(secret),
    VersionId: version.versionId,
    VersionStages: version.stages,
    CreatedDate: version.createdAt / 1000,
    SecretString: version.value.text,
  };
}

async function putSecretValue(call: ServiceCall, parts: SecretsManagerParts) {
  const schema = {
    ClientRequestToken: optionalText,
    SecretString: v.string(),
    VersionStages: v.optional(v.array(v.string())),
  };
  const { input, secret } = open(parts, call, schema);
  const versionId = input.ClientRequestToken ?? randomUUID();
  const stages = input.VersionStages ?? ['AWSCURRENT'];
  const now = parts.now().getTime();
  const changed = await parts.store.change(secret.arn, (it) =>
    putValue(it, versionId, { text: input.SecretString }, stages, now),
  );
  return { ...named(secret), VersionId: versionId, VersionStages: stagesByVersion(changed)[versionId] ?? [] };
}

async function describeSecret(call: ServiceCall, parts: SecretsManagerParts) {
  const { secret } = open(parts, call, {});
  const stages = stagesByVersion(secret);
  return {
    ...named(secret),
    Description: secret.description,
    CreatedDate: secret.createdAt / 1000,
    LastChangedDate: secret.changedAt / 1000,
    KmsKeyId: secret.kmsKeyId ?? parts.keys.get(secret.arn),
    ...(secret.rotatedAt === undefined ? {} : { LastRotatedDate: secret.rotatedAt / 1000 }),
    ...parts.rotation.describe(secret),
    ...(Object.keys(stages).length === 0 ? {} : { VersionIdsToStages: stages }),
  };
}

/** Sets another key. Existing versions keep their key, as for a caller who may not use both keys. */
async function updateSecret(call: ServiceCall, parts: SecretsManagerParts) {
  const { input, secret } = open(parts, call, { ClientRequestToken: optionalText, KmsKeyId: v.string() });
  await parts.store.change(secret.arn, (it) => ({ ...it, kmsKeyId: input.KmsKeyId }));
  return named(secret);
}

async function updateSecretVersionStage(call: ServiceCall, parts: SecretsManagerParts) {
  const schema = {
    VersionStage: v.string(),
    MoveToVersionId: optionalText,
    RemoveFromVersionId: optionalText,
  };
  const { input, secret } = open(parts, call, schema);
  await parts.store.change(secret.arn, (it) =>
    updateStage(it, input.VersionStage, input.MoveToVersionId, input.RemoveFromVersionId),
  );
  return named(secret);
}

async function rotateSecret(call: ServiceCall, parts: SecretsManagerParts) {
  const schema = {
    ClientRequestToken: optionalText,
    RotationLambdaARN: optionalText,
    RotationRules: v.optional(rotationRulesSchema),
    RotateImmediately: v.optional(v.boolean(), true),
  };
  const { input, secret } = open(parts, call, schema);
  const versionId = input.ClientRequestToken ?? randomUUID();
  const { RotationLambdaARN: functionArn, RotationRules: rules, RotateImmediately: immediately } = input;
  await parts.rotation.request({
    caller: call.principal,
    secretArn: secret.arn,
    versionId,
    functionArn,
    rules,
    immediately,
  });
  return { ...named(secret), VersionId: versionId };
}

/** @param entries parameters besides SecretId */
function open<Entries extends v.ObjectEntries>(
  parts: SecretsManagerParts,
  call: ServiceCall,
  entries: Entries,
) {
  const { SecretId: secretId, ...others } = call.input;
  const input = parseInput(v.strictObject(entries), others, 'ValidationException');
  const secret = parts.store.read(String(secretId));
  const stage = String(others.VersionStage ?? 'AWSCURRENT');
  const labelled = secret.versions.find(({ stages }) => stages.includes(stage));
  const versionId = others.VersionId ?? others.ClientRequestToken ?? labelled?.versionId ?? '';
  requireSecretAccess(call, secret, String(versionId), parts.keys, parts);
  return { input, secret };
}

function named({ arn, name }: Secret) {
  return { ARN: arn, Name: name };
}
