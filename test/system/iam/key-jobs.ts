import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  cloudFormationClient,
  dynamoDBClient,
  secretsManagerClient,
} from '../../../tools/operator/deployment/aws-clients.ts';
import type { RunningStack } from '../../support/running-stack.ts';
import { type Job, require, requireOk, type Work } from './work.ts';

/** Jobs of functions with keys, tokens, logs and the protection of the stack. */
export const keyJobs: Readonly<Record<string, Job>> = {
  'protect the stack and its tables from deletion': async ({ stack, resources }) => {
    await unprotect(stack);
    const [protect] = resources.filter(({ logicalId }) => logicalId.startsWith('ProtectionProtectFunction'));
    await stack.invoke(protect?.ref ?? '', {});
    const protections = await readProtection(stack);
    require(!protections.includes(false), `protected: ${protections.join(', ')}`);
  },

  'issue a token': ({ user }) => requireOk(user.requestToken(), 'no token'),

  'list volumes': ({ user }) => requireOk(user.volumes(), 'no volumes'),

  'publish the key set': ({ stack }) =>
    requireOk(fetch(`${stack.baseUrl}/.well-known/jwks.json`), 'no key set'),

  'write logs': async (work) => {
    // One function writes only when it protects a resource.
    await unprotect(work.stack);
    for (const { type, ref } of work.resources) {
      if (type === 'AWS::Lambda::Function') {
        await log(work, ref);
      }
    }
  },

  'rotate the signing key': rotate,

  'set the rotation schedule again': async (work) => {
    const { stack } = work;
    if ((await readSecret(stack)).RotationRules?.AutomaticallyAfterDays !== otherDays) {
      await rotate(work);
    }
    const functionName = stack.deployment.outputs.RotateSigningKeyFunctionName;
    const { ok } = await stack.invoke(functionName, { action: 'schedule' });
    const { RotationRules } = await readSecret(stack);
    require(ok && RotationRules?.AutomaticallyAfterDays !== otherDays, 'the schedule was not set');
  },

  'make the first key, or find it made': ({ stack }) => stack.createCustomResources(),
};

function tableNamesOf({ deployment }: RunningStack): readonly string[] {
  const { OrganisationsTableName, ClientsTableName, FilesTableName, UploadsTableName } = deployment.outputs;
  return [OrganisationsTableName, ClientsTableName, FilesTableName, UploadsTableName];
}

async function unprotect(running: RunningStack): Promise<void> {
  const cloudFormation = await cloudFormationClient(running.deployment);
  const dynamoDb = await dynamoDBClient(running.deployment);
  await cloudFormation.updateTerminationProtection({
    StackName: running.stack.stackName,
    EnableTerminationProtection: false,
  });
  for (const TableName of tableNamesOf(running)) {
    await dynamoDb.updateTable({ TableName, DeletionProtectionEnabled: false });
  }
}

/** For the stack, then for its tables. */
async function readProtection(running: RunningStack): Promise<readonly boolean[]> {
  const cloudFormation = await cloudFormationClient(running.deployment);
  const dynamoDb = await dynamoDBClient(running.deployment);
  const { Stacks = [] } = await cloudFormation.describeStacks({ StackName: running.stack.stackName });
  const tables = await Promise.all(
    tableNamesOf(running).map((TableName) => dynamoDb.describeTable({ TableName })),
  );
  return [
    Stacks[0]?.EnableTerminationProtection === true,
    ...tables.map(({ Table }) => Table?.DeletionProtectionEnabled === true),
  ];
}

/** Differs from the number of days in the template, so that the function must set the schedule. */
const otherDays = 89;

async function readSecret({ deployment }: RunningStack) {
  const secretsManager = await secretsManagerClient(deployment);
  return secretsManager.describeSecret({ SecretId: deployment.outputs.SigningKeySecretArn });
}

async function rotate({ stack }: Work): Promise<void> {
  const before = stack.awsLog.length;
  const failed = () => stack.awsLog.slice(before).some(({ message }) => message === 'secret rotation failed');
  const pending = async () => {
    const { VersionIdsToStages = {} } = await readSecret(stack);
    return Object.values(VersionIdsToStages).some(
      (stages) => stages.includes('AWSPENDING') && !stages.includes('AWSCURRENT'),
    );
  };
  const secretsManager = await secretsManagerClient(stack.deployment);
  const SecretId = stack.deployment.outputs.SigningKeySecretArn;
  const RotationRules = { AutomaticallyAfterDays: otherDays };
  await secretsManager.rotateSecret({ SecretId, RotationRules }).catch((error: Error) => {
    // Secrets Manager would resume an incomplete rotation instead.
    if (error.name !== 'InvalidRequestException') {
      throw error;
    }
  });
  while (!failed() && (await pending())) {
    await delay(10);
  }
  require(!failed(), 'the rotation failed');
}

/** Invokes a function so that it writes a line, and waits for the line in its log. */
async function log({ stack, since }: Work, functionName: string): Promise<void> {
  const path = join(stack.stateDirectory, 'logs', `${functionName}.log`);
  const size = async () => (await stat(path).catch(() => undefined))?.size ?? 0;
  const before = await size();
  // An unknown event: each function logs that it cannot handle it.
  const requestContext = { requestId: randomUUID() };
  await stack.invoke(functionName, { routeKey: 'GET /nowhere', headers: {}, requestContext });
  while ((await size()) === before) {
    const denied = stack.awsLog.slice(since).some(({ action }) => String(action).startsWith('logs:'));
    require(!denied, `${functionName} may not write its log`);
    await delay(5);
  }
}
