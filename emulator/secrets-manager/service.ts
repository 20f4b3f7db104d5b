import { randomUUID } from 'node:crypto';
import {
  array,
  type GenericSchema,
  type InferOutput,
  optional,
  safeParse,
  strictObject,
  string,
} from 'valibot';
import type { Authorize } from '../iam/authorize.ts';
import type { Service, ServiceCall } from '../protocols/service.ts';
import { AwsError } from '../shared/errors.ts';
import type { StackIdentity } from '../shared/resource-type.ts';
import { requireSecretAccess, type SecretKeys } from './access.ts';
import type { Rotation } from './rotation.ts';
import {
  findVersion,
  putValue,
  type Secret,
  type SecretValue,
  stagesByVersion,
  updateStage,
} from './secret.ts';
import type { SecretStore } from './store.ts';

export interface SecretsManagerParts {
  readonly store: SecretStore;
  readonly rotation: Rotation;
  readonly keys: SecretKeys;
  readonly authorize: Authorize;
  readonly stack: StackIdentity;
  readonly now: () => Date;
}

type Operation = (
  call: ServiceCall,
  parts: SecretsManagerParts,
) => Promise<Readonly<Record<string, unknown>>>;

const operations: Readonly<Record<string, Operation>> = {
  GetSecretValue: getSecretValue,
  PutSecretValue: putSecretValue,
  DescribeSecret: describeSecret,
  ListSecretVersionIds: listSecretVersionIds,
  UpdateSecretVersionStage: updateSecretVersionStage,
  RotateSecret: rotateSecret,
};

/** Secrets Manager (API reference, version 2017-10-17): what rotation and its readers need. */
export function createSecretsManager(parts: SecretsManagerParts): Service {
  return async (call) => {
    const operation = Object.hasOwn(operations, call.operation) ? operations[call.operation] : undefined;
    if (operation === undefined) {
      throw new AwsError(400, 'UnknownOperationException', `${call.operation} is not served locally`);
    }
    return operation(call, parts);
  };
}

async function getSecretValue(call: ServiceCall, parts: SecretsManagerParts) {
  const schema = { SecretId: string(), VersionId: optional(string()), VersionStage: optional(string()) };
  const input = parseInput(strictObject(schema), call);
  const secret = open(parts, call, input.SecretId);
  const version = findVersion(secret, input.VersionId, input.VersionStage);
  return {
    ...named(secret),
    VersionId: version.versionId,
    VersionStages: version.stages,
    CreatedDate: version.createdAt / 1000,
    ...('text' in version.value
      ? { SecretString: version.value.text }
      : { SecretBinary: version.value.base64 }),
  };
}

async function putSecretValue(call: ServiceCall, parts: SecretsManagerParts) {
  const schema = {
    SecretId: string(),
    ClientRequestToken: optional(string()),
    SecretString: optional(string()),
    SecretBinary: optional(string()),
    VersionStages: optional(array(string())),
  };
  const input = parseInput(strictObject(schema), call);
  const secret = open(parts, call, input.SecretId);
  const versionId = input.ClientRequestToken ?? randomUUID();
  const stages = input.VersionStages ?? ['AWSCURRENT'];
  const value = requireValue(input.SecretString, input.SecretBinary);
  const now = parts.now().getTime();
  const changed = await parts.store.change(secret.arn, (it) => putValue(it, versionId, value, stages, now));
  return { ...named(secret), VersionId: versionId, VersionStages: stagesByVersion(changed)[versionId] ?? [] };
}

async function describeSecret(call: ServiceCall, parts: SecretsManagerParts) {
  const input = parseInput(strictObject({ SecretId: string() }), call);
  const secret = open(parts, call, input.SecretId);
  return {
    ...named(secret),
    CreatedDate: secret.createdAt / 1000,
    LastChangedDate: secret.changedAt / 1000,
    ...(secret.rotatedAt === undefined ? {} : { LastRotatedDate: secret.rotatedAt / 1000 }),
    ...parts.rotation.describe(secret),
    VersionIdsToStages: stagesByVersion(secret),
  };
}

async function listSecretVersionIds(call: ServiceCall, parts: SecretsManagerParts) {
  const input = parseInput(strictObject({ SecretId: string() }), call);
  const secret = open(parts, call, input.SecretId);
  const labelled = secret.versions.filter(({ stages }) => stages.length > 0);
  const versions = labelled.map(({ versionId, stages, createdAt }) => ({
    VersionId: versionId,
    VersionStages: stages,
    CreatedDate: createdAt / 1000,
  }));
  return { ...named(secret), Versions: versions };
}

async function updateSecretVersionStage(call: ServiceCall, parts: SecretsManagerParts) {
  const schema = {
    SecretId: string(),
    VersionStage: string(),
    MoveToVersionId: optional(string()),
    RemoveFromVersionId: optional(string()),
  };
  const input = parseInput(strictObject(schema), call);
  const secret = open(parts, call, input.SecretId);
  await parts.store.change(secret.arn, (it) =>
    updateStage(it, input.VersionStage, input.MoveToVersionId, input.RemoveFromVersionId),
  );
  return named(secret);
}

async function rotateSecret(call: ServiceCall, parts: SecretsManagerParts) {
  const input = parseInput(
    strictObject({ SecretId: string(), ClientRequestToken: optional(string()) }),
    call,
  );
  const secret = open(parts, call, input.SecretId);
  const versionId = input.ClientRequestToken ?? randomUUID();
  await parts.rotation.request(secret.arn, versionId);
  return { ...named(secret), VersionId: versionId };
}

function open(parts: SecretsManagerParts, call: ServiceCall, secretId: string): Secret {
  const secret = parts.store.read(secretId);
  const current = secret.versions.find(({ stages }) => stages.includes('AWSCURRENT'));
  const versionId = call.input.VersionId ?? call.input.ClientRequestToken ?? current?.versionId ?? '';
  requireSecretAccess(call, secret, String(versionId), parts.keys, parts.authorize, parts.stack);
  return secret;
}

function named({ arn, name }: Secret) {
  return { ARN: arn, Name: name };
}

function requireValue(text: string | undefined, base64: string | undefined): SecretValue {
  if (text !== undefined && base64 === undefined) return { text };
  if (base64 !== undefined && text === undefined) return { base64 };
  const reason = 'You must provide either SecretString or SecretBinary.';
  throw new AwsError(400, 'InvalidParameterException', reason);
}

function parseInput<Schema extends GenericSchema>(schema: Schema, call: ServiceCall): InferOutput<Schema> {
  const result = safeParse(schema, call.input);
  if (result.success) return result.output;
  // The issue's message can quote the input, which can be a secret: name the parameter only.
  const names = result.issues.map((issue) => String(issue.path?.[0]?.key ?? '')).join(', ');
  throw new AwsError(
    400,
    'ValidationException',
    `${call.operation}: invalid or unsupported parameter ${names}`,
  );
}
