import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'valibot';
import { awsResourceTypes } from '../../../emulator/aws-resource-types.ts';
import type { LocalAws, LocalAwsOptions } from '../../../emulator/aws-services.ts';
import type { InvokeFunction } from '../../../emulator/lambda/invoke.ts';
import type { Resource, StackIdentity } from '../../../emulator/shared/resource-type.ts';
import { startLocalAws } from '../../../emulator/start-aws-services.ts';

export const stack: StackIdentity = {
  stackName: 'test',
  region: 'us-east-1',
  accountId: '000000000000',
  partition: 'aws',
  urlSuffix: 'amazonaws.com',
};

/** Makes a resource as the template's reader hands it over: named, and checked against its type's schema. */
export function resource(logicalId: string, type: string, properties: unknown): Resource {
  const known = awsResourceTypes[type];
  if (known === undefined) throw new Error(`no resource type ${type}`);
  const attributes = Object.entries(known.attributes).map(([name, of]) => [name, of(logicalId, stack)]);
  return {
    logicalId,
    type,
    ref: known.ref(logicalId, stack),
    attributes: Object.fromEntries(attributes),
    properties: parse(known.properties, properties),
  };
}

/** A function of the template, as far as events care. */
export function lambda(logicalId: string, properties: Record<string, unknown> = {}): Resource {
  const name = `${stack.stackName}-${logicalId}`;
  return {
    logicalId,
    type: 'AWS::Lambda::Function',
    ref: name,
    attributes: { Arn: functionArn(logicalId) },
    properties: {
      Code: { S3Bucket: 'assets', S3Key: 'asset.zip' },
      Handler: 'index.handler',
      Role: roleArnOf('Role'),
      Runtime: 'nodejs24.x',
      ...properties,
    },
  };
}

/** Lets a service invoke a function. */
export function permission(functionId: string, service: string, source: Record<string, string>): Resource {
  return {
    logicalId: `${functionId}Permission`,
    type: 'AWS::Lambda::Permission',
    ref: `${stack.stackName}-${functionId}Permission`,
    attributes: {},
    properties: {
      Action: 'lambda:InvokeFunction',
      FunctionName: functionArn(functionId),
      Principal: service,
      ...source,
    },
  };
}

export function functionArn(logicalId: string): string {
  return `arn:aws:lambda:us-east-1:000000000000:function:${stack.stackName}-${logicalId}`;
}

export function policy(...statements: Record<string, unknown>[]): unknown {
  return { Version: '2012-10-17', Statement: statements };
}

/** A role that a function has, with these statements as its own policy. */
export function functionRole(logicalId: string, ...statements: Record<string, unknown>[]): Resource[] {
  const trust = { Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { Service: 'lambda.amazonaws.com' } };
  return [
    resource(logicalId, 'AWS::IAM::Role', { AssumeRolePolicyDocument: policy(trust) }),
    resource(`${logicalId}Policy`, 'AWS::IAM::Policy', {
      PolicyName: `${logicalId}Policy`,
      PolicyDocument: policy(...statements),
      Roles: [`${stack.stackName}-${logicalId}`],
    }),
  ];
}

export function roleArnOf(logicalId: string): string {
  return `arn:aws:iam::000000000000:role/${stack.stackName}-${logicalId}`;
}

export const noFunction: InvokeFunction = async (name) => {
  throw new Error(`no function ${name}`);
};

/** Starts of one state folder, one after another, as a process that is restarted would make them. */
export interface LocalAwsRuns {
  readonly stateDirectory: string;
  readonly start: (options?: Partial<LocalAwsOptions>) => Promise<LocalAws>;
  readonly end: () => Promise<void>;
}

export async function prepareRuns(resources: readonly Resource[]): Promise<LocalAwsRuns> {
  const stateDirectory = await mkdtemp(join(tmpdir(), 'local-aws-'));
  const running: LocalAws[] = [];
  return {
    stateDirectory,
    start: async (options = {}) => {
      const aws = await startLocalAws({
        port: 0,
        stateDirectory,
        stack,
        resources,
        invoke: noFunction,
        now: () => new Date(),
        log: () => undefined,
        eventBackoff: { first: 5, longest: 20 },
        ...options,
      });
      running.push(aws);
      return aws;
    },
    end: async () => {
      await Promise.all(running.map((aws) => aws.close().catch(() => undefined)));
      await rm(stateDirectory, { recursive: true, force: true });
    },
  };
}

/** What every SDK client here is configured with. */
export function clientFor(aws: LocalAws, credentials = aws.operatorCredentials) {
  return { endpoint: aws.endpoint, region: stack.region, credentials, maxAttempts: 1 };
}
