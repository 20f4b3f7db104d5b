/**
 * Minimal code that issues an upload URL with the SDK and jose: verify, GetItem, AssumeRole, presign,
 * PutItem.
 */
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { type PeerEvent, setting, verifier } from './environment.ts';
import { dynamodb, readItem } from './items.ts';

const sts = new STSClient();
const bucket = setting('BUCKET_NAME');
const verify = verifier();

let session = { accessKeyId: '', secretAccessKey: '', sessionToken: '' };
/**
 * One client for all URLs. The session of a URL counts as expired, so the next URL requests its own session.
 */
const s3 = new S3Client({ credentials: async () => ({ ...session, expiration: new Date(0) }) });

export async function handler(event: PeerEvent) {
  const { payload } = await (await verify)(event);
  const fileId = event.pathParameters?.fileId ?? '';
  const file = await readItem('FILES_TABLE_NAME', 'file_id', fileId);
  const uploadId = crypto.randomUUID();
  const uploadUrl = await presign(uploadId);
  const issuedAt = new Date();
  await dynamodb.send(
    new PutItemCommand({
      TableName: setting('UPLOADS_TABLE_NAME'),
      Item: {
        upload_id: { S: uploadId },
        file_id: { S: fileId },
        organisation_id: { S: file?.organisation_id?.S ?? '' },
        client_id: { S: String(payload.client_id) },
        key: { S: `uploads/${uploadId}` },
        state: { S: 'issued' },
        issued_at: { S: issuedAt.toISOString() },
        expires_at: { S: new Date(issuedAt.getTime() + 3_600_000).toISOString() },
      },
      ConditionExpression: 'attribute_not_exists(upload_id)',
    }),
  );
  return { statusCode: 200, body: JSON.stringify({ data: { upload_url: uploadUrl } }) };
}

async function presign(uploadId: string): Promise<string> {
  const resource = `arn:aws:s3:::${bucket}/uploads/${uploadId}`;
  const { Credentials: given } = await sts.send(
    new AssumeRoleCommand({
      RoleArn: setting('UPLOAD_SIGNER_ROLE_ARN'),
      RoleSessionName: uploadId,
      DurationSeconds: 3600,
      Policy: `{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"s3:PutObject","Resource":"${resource}"}]}`,
    }),
  );
  session = {
    accessKeyId: given?.AccessKeyId ?? '',
    secretAccessKey: given?.SecretAccessKey ?? '',
    sessionToken: given?.SessionToken ?? '',
  };
  const command = new PutObjectCommand({ Bucket: bucket, Key: `uploads/${uploadId}`, IfNoneMatch: '*' });
  return getSignedUrl(s3, command, { expiresIn: 3600 });
}
