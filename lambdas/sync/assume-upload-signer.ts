import { AssumeRoleCommand, type STSClient } from '@aws-sdk/client-sts';
import { uploadUrlLifetimeSeconds } from '../../contract/limits.ts';
import { InternalError } from '../shared/log/log.ts';

/** Credentials that allow a PUT of one object. */
export interface UploadSignerCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
}

interface UploadSignerOptions {
  readonly roleArn: string;
  readonly bucketName: string;
}

/**
 * Creates a function that assumes the upload signer role for one upload. A presigned URL expires with the
 * credentials that signed it, and the credentials of a warm function may expire within minutes. So each URL
 * is signed in a session of its own, which lasts until the URL expires. The policy of the session allows a
 * PUT of that one object only, and only from the addresses of the client.
 */
export function createAssumeUploadSigner(sts: STSClient, { roleArn, bucketName }: UploadSignerOptions) {
  const partition = roleArn.split(':')[1];

  return async (
    uploadId: string,
    key: string,
    allowFrom?: readonly string[],
  ): Promise<UploadSignerCredentials> => {
    const { Credentials: credentials } = await sts.send(
      new AssumeRoleCommand({
        RoleArn: roleArn,
        RoleSessionName: uploadId,
        DurationSeconds: uploadUrlLifetimeSeconds,
        Policy: sessionPolicy(`arn:${partition}:s3:::${bucketName}/${key}`, allowFrom),
      }),
    );
    if (!credentials?.AccessKeyId || !credentials.SecretAccessKey || !credentials.SessionToken) {
      throw new InternalError('AssumeRole gave no credentials');
    }
    return {
      accessKeyId: credentials.AccessKeyId,
      secretAccessKey: credentials.SecretAccessKey,
      sessionToken: credentials.SessionToken,
    };
  };
}

/** The policy has at most 2,048 characters (STS API reference, AssumeRole). Eight ranges take fewer than 500. */
function sessionPolicy(objectArn: string, allowFrom?: readonly string[]): string {
  const condition = allowFrom && { Condition: { IpAddress: { 'aws:SourceIp': allowFrom } } };
  return JSON.stringify({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: 's3:PutObject', Resource: objectArn, ...condition }],
  });
}
