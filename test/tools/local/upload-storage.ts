import { randomBytes } from 'node:crypto';
import { STSClient } from '@aws-sdk/client-sts';
import type { Resource } from 'cloud-assembly-emulator';
import { loadTemplate, resourceTypes } from 'cloud-assembly-emulator';
import { clientFor, prepareRuns, stack } from 'cloud-assembly-emulator/test/aws-services';
import {
  createAssumeUploadSigner,
  type UploadSignerCredentials,
} from '../../../lambdas/sync/assume-upload-signer.ts';
import { issueUploadUrl } from '../../../lambdas/sync/issue-upload-url.ts';
import { createPresign, type PresignOptions } from '../../../lambdas/sync/presign.ts';
import { createUuidV7 } from '../../../storage/uuid-v7.ts';
import { synthesized } from '../../support/synthesized.ts';

/** An upload URL, with the credentials that signed it. */
export interface SignedUpload {
  readonly url: string;
  readonly key: string;
  readonly credentials: UploadSignerCredentials;
}

export type Storage = Awaited<ReturnType<typeof startStorage>>;

/** Starts the local AWS of the template that is deployed, which makes upload URLs as the sync function does. */
export async function startStorage() {
  const { resources } = loadTemplate(synthesized().document, resourceTypes, stack);
  const runs = await prepareRuns(resources);
  const aws = await runs.start();
  const only = (pattern: RegExp, type: string) => findOne(resources, pattern, type);
  const bucket = only(/^UploadsBucket/, 'AWS::S3::Bucket').ref;
  const { Arn: syncRole = '' } = only(/^SyncRole/, 'AWS::IAM::Role').attributes;
  const { Arn: roleArn = '' } = only(/^SyncSignerRole/, 'AWS::IAM::Role').attributes;
  const { sessionToken = '', ...keys } = aws.credentialsForRole(syncRole, 'sync');
  const syncCredentials = { ...keys, sessionToken };
  const sts = new STSClient(clientFor(aws, syncCredentials));
  const signed = { roleArn, bucketName: bucket, lifetimeSeconds: 3600 };
  return {
    aws,
    bucket,
    /** Credentials that the function of the sync endpoint has. */
    syncCredentials,
    issue: () => issue(createAssumeUploadSigner(sts, signed), { ...signed, endpoint: aws.endpoint }),
    /** Name (`Ref`) of the one resource of a type whose logical id matches. */
    nameOf: (pattern: RegExp, type: string) => only(pattern, type).ref,
  };
}

type AssumeSigner = ReturnType<typeof createAssumeUploadSigner>;

async function issue(assume: AssumeSigner, options: Omit<PresignOptions, 'region'>): Promise<SignedUpload> {
  const made: Omit<SignedUpload, 'url'>[] = [];
  const { uploadUrl: url } = await issueUploadUrl(
    { fileId: 'file', organisationId: 'acme', clientId: 'client', requestId: 'request' },
    {
      now: Date.now,
      newUploadId: createUuidV7(Date.now, randomBytes),
      assumeUploadSigner: async (uploadId, key) => {
        const credentials = await assume(uploadId, key);
        made.push({ key, credentials });
        return credentials;
      },
      presign: createPresign({ ...options, region: stack.region }),
      recordIssued: async () => undefined,
      lifetimeSeconds: options.lifetimeSeconds,
    },
    new AbortController().signal,
  );
  const [signed] = made;
  if (signed === undefined) {
    throw new Error('No credentials were made for the URL');
  }
  return { url, ...signed };
}

function findOne(resources: readonly Resource[], pattern: RegExp, type: string): Resource {
  const found = resources.filter((it) => it.type === type && pattern.test(it.logicalId));
  const [only] = found;
  if (only === undefined || found.length > 1) {
    throw new Error(`${found.length} of ${type} ${pattern}`);
  }
  return only;
}
