/**
 * Answers each call of AWS immediately with what is in the environment variable ANSWERS, and writes its port when it
 * listens. It is a process of its own, so that its work is not measured.
 */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Bodies by the target of the call (`DynamoDB_20120810.GetItem`) and its table or secret, or by the call alone. */
const answers: Readonly<Record<string, string>> = JSON.parse(process.env.ANSWERS ?? '{}');

const server = createServer(async (request, response) => {
  const call = callOf(request, await bodyOf(request));
  const answer = answers[call];
  const type = answer?.startsWith('<') ? 'text/xml' : 'application/x-amz-json-1.0';
  response.writeHead(answer === undefined ? 500 : 200, { 'content-type': type });
  response.end(answer ?? JSON.stringify({ message: `No answer for ${call}` }));
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) {
    body += String(chunk);
  }
  return body;
}

function callOf({ headers, method, url = '' }: IncomingMessage, body: string): string {
  const target = headers['x-amz-target'];
  if (typeof target === 'string') {
    const { TableName: table, SecretId: secret } = JSON.parse(body);
    return `${target.replace(/^.*\./, '')} ${table ?? secret}`;
  }
  return /Action=(\w+)/.exec(body)?.[1] ?? `${method} ${url.replace(/\/?(\?.*)?$/, '')}`;
}
