import { randomUUID } from 'node:crypto';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { checkDeployment } from 'cloud-assembly-emulator';
import { readHttpApi } from 'cloud-assembly-emulator/api-gateway/http-api';
import { s3Client } from '../../../tools/operator/deployment/aws-clients.ts';
import type { RunningStack } from '../../support/running-stack.ts';
import { type Job, require } from './work.ts';

/** A role of another account, which the setting `contentReaders` names. */
export const reader = 'arn:aws:iam::111122223333:role/reader';

/** What the stack allows and refuses before any function runs. */
export const stackJobs: Readonly<Record<string, Job>> = {
  'deploy the stack': async ({ stack, resources }) => {
    checkDeployment(resources, stack.authorize, stack.stack);
    readHttpApi(resources);
  },

  'let alarms tell their topic': async ({ stack }) => {
    const { partition, region, accountId } = stack.stack;
    const sourceArn = `arn:${partition}:cloudwatch:${region}:${accountId}:alarm:Any`;
    const principal = { kind: 'service', service: 'cloudwatch.amazonaws.com', sourceArn } as const;
    for (const resource of topicsOf(stack)) {
      const { allowed } = stack.authorize({ principal, action: 'sns:Publish', resource });
      require(allowed, 'an alarm may not publish to its topic');
    }
  },

  'let a role of another account read content': async ({ stack }) => {
    const Statement = { Effect: 'Allow', Action: '*', Resource: '*' };
    const sessionPolicy = JSON.stringify({ Version: '2012-10-17', Statement });
    const principal = { kind: 'session', roleArn: reader, sessionName: 'it', sessionPolicy } as const;
    const resource = `arn:aws:s3:::${stack.deployment.outputs.BucketName}/uploads/1`;
    for (const action of ['s3:GetObject', 's3:GetObjectVersion']) {
      require(stack.authorize({ principal, action, resource }).allowed, `${action} was refused`);
    }
  },

  'refuse what did not come by TLS': async ({ stack }) => {
    const context = { 'aws:SecureTransport': 'false' };
    const { BucketName, DeadLetterQueueUrl } = stack.deployment.outputs;
    const queue = DeadLetterQueueUrl.slice(DeadLetterQueueUrl.lastIndexOf('/') + 1);
    const { region, accountId } = stack.stack;
    for (const [action, resource] of [
      ['s3:GetObject', `arn:aws:s3:::${BucketName}/uploads/1`],
      ['s3:ListBucket', `arn:aws:s3:::${BucketName}`],
      ['sqs:ReceiveMessage', `arn:aws:sqs:${region}:${accountId}:${queue}`],
      ...topicsOf(stack).map((topic) => ['sns:Publish', topic] as const),
    ] as const) {
      const { allowed } = stack.authorize({ principal: { kind: 'operator' }, action, resource, context });
      require(!allowed, `${action} without TLS was allowed`);
    }
  },

  'refuse a signature older than an hour': async ({ stack }) => {
    require((await putSignedBefore(stack, 3_540)) === 200, 'a signature of 59 minutes was refused');
    require((await putSignedBefore(stack, 3_660)) === 403, 'a signature of 61 minutes was taken');
  },

  'hear of the status of the stack': async ({ stack, resources }) => {
    const arnOf = (id: string) =>
      resources.find(({ logicalId }) => logicalId.startsWith(id))?.attributes.Arn ?? '';
    const sourceArn = arnOf('ProtectionStackChanged');
    const { allowed } = stack.authorize({
      principal: { kind: 'service', service: 'events.amazonaws.com', sourceArn },
      action: 'lambda:InvokeFunction',
      resource: arnOf('ProtectionProtectFunction'),
    });
    require(allowed, 'EventBridge may not invoke the function');
  },
};

function topicsOf({ resources }: RunningStack): readonly string[] {
  return resources.filter(({ type }) => type === 'AWS::SNS::Topic').map(({ ref }) => ref);
}

/** @returns the status of a PUT with a URL that the operator signed so many seconds ago */
async function putSignedBefore({ deployment }: RunningStack, seconds: number): Promise<number> {
  // Outside of what the service's rule listens to.
  const object = { Bucket: deployment.outputs.BucketName, Key: `old/${randomUUID()}` };
  const signingDate = new Date(Date.now() - seconds * 1000);
  const put = new PutObjectCommand(object);
  const url = await getSignedUrl(await s3Client(deployment), put, { expiresIn: 7_200, signingDate });
  const response = await fetch(url, { method: 'PUT', body: 'content' });
  await response.arrayBuffer();
  return response.status;
}
