import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { parseInput } from '../protocols/parse-input.ts';
import { findOperation, type Output, type Service, type ServiceCall } from '../protocols/service.ts';
import type { Surroundings } from '../registry/aws-service.ts';
import { ofType, optionalText } from '../shared/resource-type.ts';
import { requireSecretAccess, type SecretKeys } from './access.ts';
import { rotationRulesSchema, secretType } from './resource-types.ts';
import type { Rotation } from './rotation.ts';
import { findVersion, putValue, type Secret, stagesByVersion, updateStage } from './secret.ts';
import type { SecretStore } from './store.ts';

export interface SecretsManagerParts extends Surroundings {
  readonly store: SecretStore;
  readonly rotation: Rotation;
  readonly keys: SecretKeys;
}

/** The error for a parameter that is wrong. */
const invalidInput = 'ValidationException';

type Operation = (call: ServiceCall, parts: SecretsManagerParts) => Promise<Output>;

const operations: Readonly<Record<string, Operation>> = {
  GetSecretValue: getSecretValue,
  PutSecretValue: putSecretValue,
  DescribeSecret: describeSecret,
  ListSecretVersionIds: listSecretVersionIds,
  UpdateSecretVersionStage: updateSecretVersionStage,
  RotateSecret: rotateSecret,
};

/** Secrets Manager (API reference, version 2017-10-17): the operations that rotations and readers need. */
export function createSecretsManager(parts: SecretsManagerParts): Service {
  return async (call) => findOperation(operations, call.operation)(call, parts);
}

async function getSecretValue(call: ServiceCall, parts: SecretsManagerParts) {
  const schema = {
    SecretId: v.string(),
    VersionId: optionalText,
    VersionStage: optionalText,
  };
  const input = parseInput(v.strictObject(schema), call.input, invalidInput);
  const secret = open(parts, call, input.SecretId);
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
    SecretId: v.string(),
    ClientRequestToken: optionalText,
    SecretString: v.string(),
    VersionStages: v.optional(v.array(v.string())),
  };
  const input = parseInput(v.strictObject(schema), call.input, invalidInput);
  const secret = open(parts, call, input.SecretId);
  const versionId = input.ClientRequestToken ?? randomUUID();
  const stages = input.VersionStages ?? ['AWSCURRENT'];
  const now = parts.now().getTime();
  const changed = await parts.store.change(secret.arn, (it) =>
    putValue(it, versionId, { text: input.SecretString }, stages, now),
  );
  return { ...named(secret), VersionId: versionId, VersionStages: stagesByVersion(changed)[versionId] ?? [] };
}

async function describeSecret(call: ServiceCall, parts: SecretsManagerParts) {
  const input = parseInput(v.strictObject({ SecretId: v.string() }), call.input, invalidInput);
  const secret = open(parts, call, input.SecretId);
  const stages = stagesByVersion(secret);
  return {
    ...named(secret),
    Description: description(secret, parts),
    CreatedDate: secret.createdAt / 1000,
    LastChangedDate: secret.changedAt / 1000,
    ...(secret.rotatedAt === undefined ? {} : { LastRotatedDate: secret.rotatedAt / 1000 }),
    ...parts.rotation.describe(secret),
    ...(Object.keys(stages).length === 0 ? {} : { VersionIdsToStages: stages }),
  };
}

function description({ arn }: Secret, { resources }: SecretsManagerParts): string | undefined {
  return ofType(resources, secretType).find(({ ref }) => ref === arn)?.properties.Description;
}

async function listSecretVersionIds(call: ServiceCall, parts: SecretsManagerParts) {
  const schema = { SecretId: v.string(), IncludeDeprecated: v.optional(v.boolean(), false) };
  const input = parseInput(v.strictObject(schema), call.input, invalidInput);
  const secret = open(parts, call, input.SecretId);
  const versions = secret.versions.filter(({ stages }) => input.IncludeDeprecated || stages.length > 0);
  return {
    ...named(secret),
    Versions: versions.map(({ versionId, stages, createdAt }) => ({
      VersionId: versionId,
      ...(stages.length > 0 && { VersionStages: stages }),
      CreatedDate: createdAt / 1000,
    })),
  };
}

async function updateSecretVersionStage(call: ServiceCall, parts: SecretsManagerParts) {
  const schema = {
    SecretId: v.string(),
    VersionStage: v.string(),
    MoveToVersionId: optionalText,
    RemoveFromVersionId: optionalText,
  };
  const input = parseInput(v.strictObject(schema), call.input, invalidInput);
  const secret = open(parts, call, input.SecretId);
  await parts.store.change(secret.arn, (it) =>
    updateStage(it, input.VersionStage, input.MoveToVersionId, input.RemoveFromVersionId),
  );
  return named(secret);
}

async function rotateSecret(call: ServiceCall, parts: SecretsManagerParts) {
  const schema = {
    SecretId: v.string(),
    ClientRequestToken: optionalText,
    RotationLambdaARN: optionalText,
    RotationRules: v.optional(rotationRulesSchema),
    RotateImmediately: v.optional(v.boolean(), true),
  };
  const input = parseInput(v.strictObject(schema), call.input, invalidInput);
  const secret = open(parts, call, input.SecretId);
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

function open(parts: SecretsManagerParts, call: ServiceCall, secretId: string): Secret {
  const secret = parts.store.read(secretId);
  const current = secret.versions.find(({ stages }) => stages.includes('AWSCURRENT'));
  const versionId = call.input.VersionId ?? call.input.ClientRequestToken ?? current?.versionId ?? '';
  requireSecretAccess(call, secret, String(versionId), parts.keys, parts);
  return secret;
}

function named({ arn, name }: Secret) {
  return { ARN: arn, Name: name };
}
