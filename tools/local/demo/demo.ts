import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { styleText } from 'node:util';
import { routeKey, routes, syncPathOf } from '../../../contract/routes.ts';
import { s3Client } from '../../operator/deployment/aws-clients.ts';
import type { Deployment } from '../../operator/deployment/deployment.ts';
import { formatBytes } from '../../operator/text.ts';
import type { TextStream } from '../../terminal/output.ts';
import { adminLines } from './admin-lines.ts';
import { createApiClient, describeUploadUrl, sha256 } from './client.ts';
import { curlLines } from './curl-lines.ts';
import { demoClient, demoFile } from './provision.ts';

interface DemoOptions {
  readonly deployment: Deployment;
  /** Absolute path. */
  readonly stateDirectory: string;
  readonly output: TextStream;
  readonly colour: boolean;
  readonly signal: AbortSignal;
}

const sampleBytes = 8 * 1024 * 1024;

/** File for the upload by hand. It exists on every machine. */
const anyFile = fileURLToPath(new URL('../../../README.md', import.meta.url));

/**
 * Demonstrates an upload step by step, from provisioning to stored bytes. It shows the client secret, because
 * the client exists on this machine only, and the user may want to try it.
 *
 * @throws {Error} if the result of a step differs from the contract
 */
export async function runDemo(options: DemoOptions): Promise<void> {
  const { deployment, output } = options;
  const baseUrl = deployment.outputs.BaseUrl;
  const calls = createApiClient(baseUrl, (url, request) =>
    fetch(url, { ...request, signal: options.signal }),
  );
  const tell = createTeller(output, options.colour);
  tell.heading(`Demonstration of an upload to ${baseUrl}`);

  tell.step('The operator creates a client and a file');
  const client = await demoClient(deployment);
  const file = await demoFile(deployment);
  tell.detail('client id', client.client_id);
  tell.detail('client secret', client.client_secret);
  tell.detail('file id', file.file_id);

  tell.step(`The client requests a token: ${routeKey(routes.token)}, with HTTP Basic`);
  const token = await calls.getToken(client.client_id, client.client_secret);
  tell.detail('response', `${token.token_type} token for ${token.expires_in} s, scope "${token.scope}"`);

  tell.step(`It lists volumes: ${routeKey(routes.volumes)}`);
  tell.detail('response', await calls.listVolumes(token.access_token));

  tell.step(`It requests an upload URL: POST ${syncPathOf(file.file_id)}`);
  const uploadUrl = await calls.getUploadUrl(token.access_token, file.file_id);
  tell.detail('response', describeUploadUrl(uploadUrl));

  tell.step(`It PUTs ${formatBytes(sampleBytes)} to that URL`);
  const content = randomBytes(sampleBytes);
  tell.detail('response', String(await calls.put(uploadUrl, content)));

  tell.step('S3 stores the bytes');
  const bucket = deployment.outputs.BucketName;
  // The path of a URL of the local run starts with the bucket.
  const key = decodeURIComponent(new URL(uploadUrl).pathname).slice(`/${bucket}/`.length);
  const s3 = await s3Client(deployment);
  const { Body } = await s3.getObject({ Bucket: bucket, Key: key });
  const stored = (await Body?.transformToByteArray()) ?? new Uint8Array();
  s3.destroy();
  tell.detail('sent', `sha256 ${sha256(content)}`);
  tell.detail('stored', `sha256 ${sha256(stored)}`);
  tell.detail('object', `s3://${bucket}/${key}, ${stored.length} bytes`);
  if (sha256(stored) !== sha256(content)) {
    throw new Error('The stored bytes are not the sent bytes.');
  }

  tell.heading('The same by hand: copy these lines into a shell');
  const made = { client, fileId: file.file_id };
  output.write(`${curlLines({ baseUrl, ...made, uploadPath: anyFile }).join('\n')}\n`);
  tell.heading('What the operator sees of the upload: copy these lines as well');
  output.write(`${adminLines({ ...made, stateDirectory: options.stateDirectory }).join('\n')}\n`);
  output.write('\n');
}

function createTeller(output: TextStream, colour: boolean) {
  const paint = (style: 'bold' | 'cyan' | 'dim', text: string) =>
    colour ? styleText(style, text, { validateStream: false }) : text;
  let count = 0;
  return {
    heading: (text: string) => void output.write(`\n${paint('bold', text)}\n\n`),
    step: (text: string) => {
      count += 1;
      output.write(`${paint('cyan', `${count}.`)} ${text}\n`);
    },
    detail: (name: string, text: string) =>
      void output.write(`   ${paint('dim', name.padEnd(13))} ${text}\n`),
  };
}
