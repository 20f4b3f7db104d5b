import { randomBytes } from 'node:crypto';
import { S3Client } from '@aws-sdk/client-s3';
import { STSClient } from '@aws-sdk/client-sts';
import type { AwsServices, Resource } from 'cloud-assembly-emulator';
import { loadTemplate, resourceTypes } from 'cloud-assembly-emulator';
import { clientFor, prepareRuns, stack } from 'cloud-assembly-emulator/test/aws-services';
import { uploadUrl } from 'cloud-assembly-emulator/test/presigned';
import {
  createAssumeUploadSigner,
  type UploadSignerCredentials,
} from '../../lambdas/sync/assume-upload-signer.ts';
import { issueUploadUrl } from '../../lambdas/sync/issue-upload-url.ts';
import { createPresign, type PresignOptions } from '../../lambdas/sync/presign.ts';
import { createUuidV7 } from '../../storage/uuid-v7.ts';
import { synthesized } from './synthesized.ts';

/** An upload URL, with the credentials that signed it. */
export interface SignedUpload {
  readonly url: string;
  readonly key: string;
  readonly credentials: UploadSignerCredentials;
}

/** The local S3 of the deployed template, and upload URLs as the sync function makes them. */
export interface Storage {
  readonly aws: AwsServices;
  readonly bucket: string;
  /** The operator's client. */
  readonly s3: S3Client;
  /** Credentials that the function of the sync endpoint has. */
  readonly syncCredentials: UploadSignerCredentials;
  /** What signs upload URLs in the function of the sync endpoint. */
  readonly signing: Pick<SyncParts, 'assumeUploadSigner' | 'presign' | 'lifetimeSeconds'>;
  readonly issue: (lifetimeSeconds?: number) => Promise<SignedUpload>;
  /** Moves the clock of the storage on, in seconds, while something is done. */
  readonly later: <Result>(seconds: number, act: () => Promise<Result>) => Promise<Result>;
  /** A URL that was issued some seconds ago. */
  readonly issuedAgo: (seconds: number) => Promise<SignedUpload>;
  /** Uses a URL when the session that signed it has ended. */
  readonly afterSession: <Result>(use: (url: string) => Promise<Result>) => Promise<Result>;
  /** A URL that the operator signed some seconds ago, for a time in seconds. */
  readonly signedAgo: (seconds: number, lifetimeSeconds: number) => Promise<string>;
  /** Name (`Ref`) of the one resource of a type whose logical id matches. */
  readonly nameOf: (pattern: RegExp, type: string) => string;
  readonly end: () => Promise<void>;
}

/** @param log takes the lines that the local AWS logs */
export async function startStorage(log: (line: string) => void = () => undefined): Promise<Storage> {
  const { resources } = loadTemplate(synthesized().document, resourceTypes, stack);
  const runs = await prepareRuns(resources);
  let ahead = 0;
  const now = () => Date.now() + ahead;
  const aws = await runs.start({ now: () => new Date(now()), log: (line) => log(JSON.stringify(line)) });
  const only = (pattern: RegExp, type: string) => findOne(resources, pattern, type);
  const bucket = only(/^UploadsBucket/, 'AWS::S3::Bucket').ref;
  const syncRole = arnOf(only(/^SyncRole/, 'AWS::IAM::Role'));
  const roleArn = arnOf(only(/^SyncSignerRole/, 'AWS::IAM::Role'));
  const { sessionToken = '', ...keys } = aws.credentialsForRole(syncRole, 'sync');
  const syncCredentials = { ...keys, sessionToken };
  const sts = new STSClient(clientFor(aws, syncCredentials));
  const s3 = new S3Client({ ...clientFor(aws), forcePathStyle: true });
  const signed = { roleArn, bucketName: bucket, lifetimeSeconds: 3600 };
  const issueFor = (lifetimeSeconds = 3600, signedAt = now) => {
    const options = { roleArn, bucketName: bucket, lifetimeSeconds };
    const signer = createAssumeUploadSigner(sts, signed);
    return issue(signer, { ...options, now: signedAt, endpoint: aws.endpoint });
  };
  const later = async <Result>(seconds: number, act: () => Promise<Result>): Promise<Result> => {
    ahead = seconds * 1000;
    try {
      return await act();
    } finally {
      ahead = 0;
    }
  };
  return {
    aws,
    bucket,
    s3,
    syncCredentials,
    signing: {
      lifetimeSeconds: signed.lifetimeSeconds,
      assumeUploadSigner: createAssumeUploadSigner(sts, signed),
      presign: createPresign({ ...signed, region: stack.region, endpoint: aws.endpoint }),
    },
    issue: (lifetimeSeconds) => issueFor(lifetimeSeconds),
    later,
    issuedAgo: (seconds) => issueFor(3600, () => now() - seconds * 1000),
    afterSession: async (use) => {
      const { url } = await issueFor();
      return later(3700, () => use(url));
    },
    signedAgo: (seconds, lifetimeSeconds) => {
      const signed = { endpoint: aws.endpoint, bucket, credentials: aws.operatorCredentials };
      const signingDate = new Date(Date.now() - seconds * 1000);
      return uploadUrl({ ...signed, key: 'uploads/old', signingDate, expiresIn: lifetimeSeconds });
    },
    nameOf: (pattern, type) => only(pattern, type).ref,
    end: async () => {
      s3.destroy();
      sts.destroy();
      await runs.end();
    },
  };
}

type SyncParts = Parameters<typeof issueUploadUrl>[1];

interface IssueOptions extends Omit<PresignOptions, 'region'> {
  readonly now: () => number;
}

type AssumeSigner = ReturnType<typeof createAssumeUploadSigner>;

async function issue(assume: AssumeSigner, { now, ...options }: IssueOptions): Promise<SignedUpload> {
  const made: Omit<SignedUpload, 'url'>[] = [];
  const { uploadUrl: url } = await issueUploadUrl(
    { fileId: 'file', organisationId: 'acme', clientId: 'client', requestId: 'request' },
    {
      now,
      newUploadId: createUuidV7(now, randomBytes),
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

function arnOf({ attributes, logicalId }: Resource): string {
  if (attributes.Arn === undefined) {
    throw new Error(`${logicalId} has no ARN`);
  }
  return attributes.Arn;
}
