/** AWS as far as the contestants use it: each call is answered immediately with a fixed, valid body. */
import { readBody, serve, setting } from './serve.ts';

const secrets: Record<string, string> = JSON.parse(setting('SECRETS'));
const items: Record<string, object> = JSON.parse(setting('ITEMS'));

const session = `<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult>
  <AssumedRoleUser><Arn>arn:aws:sts::111122223333:assumed-role/upload-signer/session</Arn>
  <AssumedRoleId>AROAEXAMPLEEXAMPLE:session</AssumedRoleId></AssumedRoleUser>
  <Credentials><AccessKeyId>ASIAEXAMPLEEXAMPLE12</AccessKeyId><SecretAccessKey>${'s'.repeat(40)}</SecretAccessKey>
  <SessionToken>${'t'.repeat(800)}</SessionToken><Expiration>2099-01-01T00:00:00Z</Expiration></Credentials>
  <PackedPolicySize>6</PackedPolicySize>
</AssumeRoleResult><ResponseMetadata><RequestId>c6104cbe-af31-11e0-8154-cbc7ccf896c7</RequestId></ResponseMetadata>
</AssumeRoleResponse>`;

serve(async (request, response) => {
  const body = await readBody(request);
  const target = String(request.headers['x-amz-target'] ?? '');
  const [type, answer] =
    target === '' ? ['text/xml', session] : ['application/x-amz-json-1.1', json(target, body)];
  response.writeHead(200, {
    'content-type': type,
    'content-length': Buffer.byteLength(answer),
    'x-amzn-requestid': 'c6104cbe-af31-11e0-8154-cbc7ccf896c7',
    'x-amz-crc32': '0',
  });
  response.end(answer);
});

function json(target: string, body: string): string {
  const call: { TableName?: string; SecretId?: string } = JSON.parse(body);
  if (target.endsWith('.GetSecretValue')) {
    const { SecretId: id = '' } = call;
    return JSON.stringify({ ARN: id, Name: id, VersionId: 'v1', SecretString: secrets[id] });
  }
  return target.endsWith('.GetItem') ? JSON.stringify({ Item: items[call.TableName ?? ''] }) : '{}';
}
