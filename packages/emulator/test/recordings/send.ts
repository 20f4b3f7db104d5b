import * as cloudwatch from '@aws-sdk/client-cloudwatch';
import * as logs from '@aws-sdk/client-cloudwatch-logs';
import * as dynamodb from '@aws-sdk/client-dynamodb';
import * as eventbridge from '@aws-sdk/client-eventbridge';
import * as lambda from '@aws-sdk/client-lambda';
import * as s3 from '@aws-sdk/client-s3';
import * as secretsManager from '@aws-sdk/client-secrets-manager';
import * as sqs from '@aws-sdk/client-sqs';
import * as sts from '@aws-sdk/client-sts';
import { S3RequestPresigner } from '@aws-sdk/s3-request-presigner';
import { HttpRequest } from '@smithy/core/protocols';
import { Hash } from '@smithy/core/serde';
import { XMLParser } from 'fast-xml-parser';
import type { AwsServices } from '../../aws-services.ts';
import { clients } from '../support/clients.ts';
import type { ActualAnswer } from './answers.ts';
import type { Call, PresignedRequest, RecordedService } from './recording.ts';

type Clients = ReturnType<typeof clients>;

/** The bucket of presigned URLs. */
const bucketName = 'test-bucket';

/** The SDK's module of each service, and its client. */
const sdks: Readonly<Record<RecordedService, readonly [module: object, client: keyof Clients]>> = {
  cloudwatch: [cloudwatch, 'cloudwatch'],
  dynamodb: [dynamodb, 'dynamodb'],
  eventbridge: [eventbridge, 'eventbridge'],
  lambda: [lambda, 'lambda'],
  logs: [logs, 'logs'],
  s3: [s3, 's3'],
  'secrets-manager': [secretsManager, 'secrets'],
  sqs: [sqs, 'sqs'],
  sts: [sts, 'sts'],
};

/** What all clients of the SDK have, as far as it is used here. */
interface AnyClient {
  readonly send: (command: object) => Promise<{ readonly $metadata: { readonly httpStatusCode: number } }>;
  readonly middlewareStack: {
    readonly add: (
      middleware: unknown,
      options: { readonly step: string; readonly priority: string },
    ) => void;
  };
}

interface Sent {
  readonly request: { headers: Record<string, string> };
}

interface Received {
  readonly response: { readonly headers: Readonly<Record<string, string>> };
}

/** The SDK's module of a service: its commands, and the model of its operations. */
export function sdkModule(service: RecordedService): object {
  return sdks[service][0];
}

/** Sends an operation with the SDK. */
export async function sendCall(
  aws: AwsServices,
  serviceOfFile: RecordedService,
  { call, input, as, service = serviceOfFile }: Partial<Call> & Pick<Call, 'call' | 'input'>,
): Promise<ActualAnswer> {
  const [module, name] = sdks[service];
  const client = clients(aws, as)[name] as unknown as AnyClient;
  const Command = Object(module)[`${call}Command`] as new (input: object) => object;
  let headers: ActualAnswer['headers'] = {};
  const keepHeaders = (next: (sent: Sent) => Promise<Received>) => async (sent: Sent) => {
    sent.request.headers = inUtf8(sent.request.headers);
    const received = await next(sent);
    headers = received.response.headers;
    return received;
  };
  client.middlewareStack.add(keepHeaders, { step: 'deserialize', priority: 'low' });
  try {
    const { $metadata, ...members } = await client.send(new Command(input));
    return { status: $metadata.httpStatusCode, members: await readStreams(members), headers };
  } catch (error) {
    const { name: code, message, $metadata, ...members } = Object(error);
    return { status: $metadata?.httpStatusCode, code, message, members, headers };
  }
}

/** Node and fetch send each character of a header as one byte. Clients of AWS in other languages send UTF-8. */
function inUtf8(headers: Readonly<Record<string, string | null>>): Record<string, string> {
  const given = Object.entries(headers).flatMap(([name, value]) => (value === null ? [] : [[name, value]]));
  return Object.fromEntries(
    given.map(([name = '', value = '']) => [name, Buffer.from(value).toString('latin1')]),
  );
}

/** The members of an output, with what a stream or bytes contain as text. */
async function readStreams(output: object): Promise<Record<string, unknown>> {
  const members = Object.entries(output).map(async ([name, value]) => [
    name,
    'transformToString' in Object(value) ? await value.transformToString() : value,
  ]);
  return Object.fromEntries(await Promise.all(members));
}

/** Sends a request to a URL that the operator has presigned. */
export async function sendPresigned(
  aws: AwsServices,
  request: PresignedRequest,
  now: Date,
): Promise<ActualAnswer> {
  const response = await fetch(await presignedUrl(aws, request, now), {
    method: request.presigned,
    headers: inUtf8({ ...request.signed, ...request.headers }),
    // Bytes, because a text would come with a Content-Type.
    ...(request.body === undefined ? {} : { body: Buffer.from(request.body) }),
  });
  const text = await response.text();
  const headers = Object.fromEntries(response.headers);
  const { Error: error } = new XMLParser({ parseTagValue: false }).parse(
    text.startsWith('<?xml') ? text : '',
  );
  const { Code: code, Message: message, ...members } = Object(error);
  return { status: response.status, code, message, members: error ? members : { Body: text }, headers };
}

async function presignedUrl(
  { endpoint, operatorCredentials: credentials }: AwsServices,
  { presigned: method, key, query, signed, changed, expires: expiresIn, age }: PresignedRequest,
  now: Date,
): Promise<string> {
  const { hostname, port, host } = new URL(endpoint);
  const presigner = new S3RequestPresigner({
    credentials,
    region: 'us-east-1',
    sha256: Hash.bind(null, 'sha256'),
  });
  const path = `/${bucketName}/${key}`;
  const headers = { host, ...signed };
  const address = { protocol: 'http:', hostname, port: Number(port), path };
  const made = await presigner.presign(new HttpRequest({ ...address, method, query, headers }), {
    expiresIn,
    signingDate: new Date(now.getTime() - age * 1000),
    unhoistableHeaders: new Set(Object.keys(signed)),
    signableHeaders: new Set(Object.keys(headers)),
  });
  const url = new URL(`${endpoint}${made.path}`);
  for (const [name, value] of Object.entries({ ...made.query, ...changed })) {
    if (value !== null) {
      url.searchParams.set(name, String(value));
    }
  }
  return url.href;
}
