import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Setting } from './setting.ts';

/**
 * Starts a stub of the AWS APIs that the functions and their peers call. It responds to each call
 * immediately, with a fixed, valid body.
 */
export async function startAwsStub(setting: Pick<Setting, 'secrets' | 'items'>) {
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const operation = String(request.headers['x-amz-target'] ?? '').replace(/^.*\./, '');
    const output = operation === '' ? session : JSON.stringify(jsonResponse(operation, body, setting));
    response.writeHead(200, {
      'content-type': operation === '' ? 'text/xml' : 'application/x-amz-json-1.1',
      'content-length': Buffer.byteLength(output),
      'x-amzn-requestid': 'c6104cbe-af31-11e0-8154-cbc7ccf896c7',
    });
    response.end(output);
  });
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function jsonResponse(
  operation: string,
  body: string,
  { secrets, items }: Pick<Setting, 'secrets' | 'items'>,
) {
  const { TableName: table = '', SecretId: id = '' } = JSON.parse(body) as Record<string, string>;
  const responses: Readonly<Record<string, object>> = {
    GetSecretValue: { ARN: id, Name: id, VersionId: 'v1', SecretString: secrets[id] },
    GetItem: { Item: items[table] },
  };
  return responses[operation] ?? {};
}

/** Response of STS, the only service here with XML responses. */
const session = `<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult>
  <AssumedRoleUser><Arn>arn:aws:sts::111122223333:assumed-role/upload-signer/session</Arn>
  <AssumedRoleId>AROAEXAMPLEEXAMPLE:session</AssumedRoleId></AssumedRoleUser>
  <Credentials><AccessKeyId>ASIAEXAMPLEEXAMPLE12</AccessKeyId><SecretAccessKey>${'s'.repeat(40)}</SecretAccessKey>
  <SessionToken>${'t'.repeat(800)}</SessionToken><Expiration>2099-01-01T00:00:00Z</Expiration></Credentials>
</AssumeRoleResult></AssumeRoleResponse>`;
