/**
 * AWS as far as the functions and their peers use it. Each call is answered with a fixed, valid body after the wait that the benchmark
 * sets: `POST /-/wait` with milliseconds. `GET /-/calls` gives the calls so far, by name, and forgets them.
 */
import { readBody, serve, setting } from './serve.ts';

const secrets: Record<string, string> = JSON.parse(setting('SECRETS'));
const items: Record<string, object> = JSON.parse(setting('ITEMS'));
/** The SDK reads them from each answer. */
const ids = { 'x-amzn-requestid': 'c6104cbe-af31-11e0-8154-cbc7ccf896c7', 'x-amz-crc32': '0' };
let wait = 0;
let calls: Record<string, number> = {};

serve(async (request, response) => {
  const body = await readBody(request);
  if (request.url === '/-/wait') {
    wait = Number(body);
    response.end('{}');
    return;
  }
  if (request.url === '/-/calls') {
    response.end(JSON.stringify(calls));
    calls = {};
    return;
  }
  const target = String(request.headers['x-amz-target'] ?? '');
  const url = new URL(request.url ?? '/', 'http://aws');
  const call = target === '' ? restCall(request.method, url) : target.replace(/^.*\./, '');
  calls[call] = (calls[call] ?? 0) + 1;
  const [type, answer] =
    target === '' ? ['text/xml', xml(call, url)] : ['application/x-amz-json-1.1', json(call, body)];
  const send = () => {
    const checksum = call === 'HeadObject' ? { 'x-amz-checksum-crc64nvme': '1BGd19PD4OU=' } : {};
    const headers = {
      'content-type': type,
      'content-length': Buffer.byteLength(answer),
      ...ids,
      ...checksum,
    };
    response.writeHead(200, headers);
    response.end(answer);
  };
  if (wait === 0) {
    send();
  } else {
    setTimeout(send, wait);
  }
});

/** S3 and STS have no header with the operation. */
function restCall(method: string | undefined, { searchParams, pathname }: URL): string {
  if (searchParams.has('versions')) {
    return 'ListObjectVersions';
  }
  if (searchParams.has('tagging')) {
    return 'GetObjectTagging';
  }
  if (method === 'HEAD') {
    return 'HeadObject';
  }
  return method === 'PUT' && pathname !== '/' ? 'PutObject' : 'AssumeRole';
}

function xml(call: string, { searchParams }: URL): string {
  if (call === 'ListObjectVersions') {
    const version = '<VersionId>version-1</VersionId><IsLatest>true</IsLatest>';
    return `<ListVersionsResult><IsTruncated>false</IsTruncated><Version><Key>${searchParams.get('prefix')}</Key>${version}</Version></ListVersionsResult>`;
  }
  if (call === 'GetObjectTagging') {
    return '<Tagging><TagSet><Tag><Key>tombstone</Key><Value>superseded</Value></Tag></TagSet></Tagging>';
  }
  return call === 'PutObject' || call === 'HeadObject' ? '' : session;
}

const session = `<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult>
  <AssumedRoleUser><Arn>arn:aws:sts::111122223333:assumed-role/upload-signer/session</Arn>
  <AssumedRoleId>AROAEXAMPLEEXAMPLE:session</AssumedRoleId></AssumedRoleUser>
  <Credentials><AccessKeyId>ASIAEXAMPLEEXAMPLE12</AccessKeyId><SecretAccessKey>${'s'.repeat(40)}</SecretAccessKey>
  <SessionToken>${'t'.repeat(800)}</SessionToken><Expiration>2099-01-01T00:00:00Z</Expiration></Credentials>
</AssumeRoleResult></AssumeRoleResponse>`;

function json(call: string, body: string): string {
  const input: { TableName?: string; SecretId?: string } = JSON.parse(body);
  if (call === 'GetSecretValue') {
    const { SecretId: id = '' } = input;
    return JSON.stringify({ ARN: id, Name: id, VersionId: 'v1', SecretString: secrets[id] });
  }
  if (call === 'PutEvents') {
    return JSON.stringify({ FailedEntryCount: 0, Entries: [{ EventId: 'event-1' }] });
  }
  return call === 'GetItem' ? JSON.stringify({ Item: items[input.TableName ?? ''] }) : '{}';
}
