import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { requireAllowed } from '../iam/authorize.ts';
import { parseInput } from '../protocols/parse-input.ts';
import { findOperation, type Service, type ServiceCall } from '../protocols/service.ts';
import type { ServiceContext } from '../registry/aws-service.ts';
import { optionalText } from '../shared/resource-type.ts';
import { requireSecretAccess, type SecretKeys } from './access.ts';
import { rotationRulesSchema, secretArnOf } from './resource-types.ts';
import type { Rotation } from './rotation.ts';
import { findVersion, putValue, type Secret, stagesByVersion, updateStage } from './secret.ts';
import { newSecret, type SecretStore } from './store.ts';

interface SecretsManagerDependencies extends ServiceContext {
  readonly store: SecretStore;
  readonly rotation: Rotation;
  readonly keys: SecretKeys;
}

const operations = {
  CreateSecret: createSecret,
  GetSecretValue: getSecretValue,
  PutSecretValue: putSecretValue,
  DescribeSecret: describeSecret,
  UpdateSecret: updateSecret,
  UpdateSecretVersionStage: updateSecretVersionStage,
  RotateSecret: rotateSecret,
};

/** Secrets Manager (API reference, version 2017-10-17): the operations for rotations and readers. */
export function createSecretsManager(dependencies: SecretsManagerDependencies): Service {
  return async (call) => findOperation(operations, call.operation)(call, dependencies);
}

/** Creates a secret with the default key of Secrets Manager. */
async function createSecret({ principal, input }: ServiceCall, dependencies: SecretsManagerDependencies) {
  const parsed = parseInput(newSecretSchema, input, 'ValidationException');
  const { Name, SecretString, ClientRequestToken: VersionId = randomUUID() } = parsed;
  const ARN = secretArnOf(Name, dependencies.stack);
  requireAllowed({ principal, action: 'secretsmanager:CreateSecret', resource: ARN }, dependencies);
  await dependencies.store.create(newSecret(ARN, Name, SecretString, VersionId, dependencies.now()));
  return { ARN, Name, VersionId };
}

const newSecretSchema = v.strictObject({
  ClientRequestToken: optionalText,
  Name: v.pipe(v.string(), v.regex(/^[\w/+=.@-]{1,512}$/)),
  SecretString: v.string(),
});

async function getSecretValue(call: ServiceCall, dependencies: SecretsManagerDependencies) {
  const schema = { VersionId: optionalText, VersionStage: optionalText };
  const { input, secret } = open(dependencies, call, schema);
  const version = findVersion(secret, input.VersionId, input.VersionStage);
  return {
    ...named(secret),
    VersionId: version.versionId,
    VersionStages: version.stages,
    CreatedDate: version.createdAt / 1000,
    SecretString: version.value.text,
  };
}

async function putSecretValue(call: ServiceCall, dependencies: SecretsManagerDependencies) {
  const schema = {
    ClientRequestToken: optionalText,
    SecretString: v.string(),
    VersionStages: v.optional(v.array(v.string())),
  };
  const { input, secret } = open(dependencies, call, schema);
  const versionId = input.ClientRequestToken ?? randomUUID();
  const stages = input.VersionStages ?? ['AWSCURRENT'];
  const now = dependencies.now().getTime();
  const changed = await dependencies.store.change(secret.arn, (it) =>
    putValue(it, versionId, { text: input.SecretString }, stages, now),
  );
  return { ...named(secret), VersionId: versionId, VersionStages: stagesByVersion(changed)[versionId] ?? [] };
}

async function describeSecret(call: ServiceCall, dependencies: SecretsManagerDependencies) {
  const { secret } = open(dependencies, call, {});
  const stages = stagesByVersion(secret);
  return {
    ...named(secret),
    Description: secret.description,
    CreatedDate: secret.createdAt / 1000,
    LastChangedDate: secret.changedAt / 1000,
    KmsKeyId: secret.kmsKeyId ?? dependencies.keys.get(secret.arn),
    ...(secret.rotatedAt === undefined ? {} : { LastRotatedDate: secret.rotatedAt / 1000 }),
    ...dependencies.rotation.describe(secret),
    ...(Object.keys(stages).length === 0 ? {} : { VersionIdsToStages: stages }),
  };
}

/** Sets another key. Existing versions keep their key, as for a caller who may not use both keys. */
async function updateSecret(call: ServiceCall, dependencies: SecretsManagerDependencies) {
  const { input, secret } = open(dependencies, call, {
    ClientRequestToken: optionalText,
    KmsKeyId: v.string(),
  });
  await dependencies.store.change(secret.arn, (it) => ({ ...it, kmsKeyId: input.KmsKeyId }));
  return named(secret);
}

async function updateSecretVersionStage(call: ServiceCall, dependencies: SecretsManagerDependencies) {
  const schema = {
    VersionStage: v.string(),
    MoveToVersionId: optionalText,
    RemoveFromVersionId: optionalText,
  };
  const { input, secret } = open(dependencies, call, schema);
  await dependencies.store.change(secret.arn, (it) =>
    updateStage(it, input.VersionStage, input.MoveToVersionId, input.RemoveFromVersionId),
  );
  return named(secret);
}

async function rotateSecret(call: ServiceCall, dependencies: SecretsManagerDependencies) {
  const schema = {
    ClientRequestToken: optionalText,
    RotationLambdaARN: optionalText,
    RotationRules: v.optional(rotationRulesSchema),
    RotateImmediately: v.optional(v.boolean(), true),
  };
  const { input, secret } = open(dependencies, call, schema);
  const versionId = input.ClientRequestToken ?? randomUUID();
  const { RotationLambdaARN: functionArn, RotationRules: rules, RotateImmediately: immediately } = input;
  await dependencies.rotation.request({
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
  dependencies: SecretsManagerDependencies,
  call: ServiceCall,
  entries: Entries,
) {
  const { SecretId: secretId, ...others } = call.input;
  const input = parseInput(v.strictObject(entries), others, 'ValidationException');
  const secret = dependencies.store.read(String(secretId));
  const stage = String(others.VersionStage ?? 'AWSCURRENT');
  const labelled = secret.versions.find(({ stages }) => stages.includes(stage));
  const versionId = others.VersionId ?? others.ClientRequestToken ?? labelled?.versionId ?? '';
  requireSecretAccess(call, secret, String(versionId), dependencies.keys, dependencies);
  return { input, secret };
}

function named({ arn, name }: Secret) {
  return { ARN: arn, Name: name };
}
