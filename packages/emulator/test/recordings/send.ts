import { XMLParser } from 'fast-xml-parser';
import type { RunningServices } from '../../running-services.ts';
import { clients } from '../support/clients.ts';
import { presignedUrl, withParameter } from '../support/presigned.ts';
import { type Call, type PresignedRequest, type RecordedService, recordedServices } from './recording.ts';
import type { ActualResponse } from './responses.ts';

/** Common members of all SDK clients, as far as they are used here. */
interface AnyClient {
  readonly send: (command: object) => Promise<{ readonly $metadata: { readonly httpStatusCode: number } }>;
  readonly middlewareStack: {
    readonly add: (
      middleware: unknown,
      options: { readonly step: string; readonly priority: string },
    ) => void;
  };
}

interface SignedRequest {
  readonly request: { headers: Record<string, string> };
}

interface SdkResponse {
  readonly response: { readonly headers: Readonly<Record<string, string>> };
}

async function importSdk(service: RecordedService): Promise<[service: string, module: object]> {
  return [service, await import(`@aws-sdk/client-${service === 'logs' ? 'cloudwatch-logs' : service}`)];
}

/** The SDK's modules by service, with their commands and the models of their operations. */
export const sdkModules = Object.fromEntries(await Promise.all(recordedServices.map(importSdk)));

/** Sends an operation with the SDK. */
export async function sendCall(
  aws: RunningServices,
  serviceOfFile: RecordedService,
  { call, input, service = serviceOfFile }: Partial<Call> & Pick<Call, 'call' | 'input'>,
): Promise<ActualResponse> {
  const name = service === 'secrets-manager' ? 'secrets' : service;
  const client = clients(aws)[name] as unknown as AnyClient;
  const Command = Object(sdkModules[service])[`${call}Command`] as new (input: object) => object;
  let headers: ActualResponse['headers'] = {};
  const keepHeaders =
    (next: (sent: SignedRequest) => Promise<SdkResponse>) => async (sent: SignedRequest) => {
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

/** Returns the members of an output, with the content of streams and bytes as text. */
async function readStreams(output: object): Promise<Record<string, unknown>> {
  const members = Object.entries(output).map(async ([name, value]) => [
    name,
    'transformToString' in Object(value) ? await value.transformToString() : value,
  ]);
  return Object.fromEntries(await Promise.all(members));
}

/** Sends a request to a URL that the operator has presigned: by default a PUT. */
export async function sendPresigned(
  { endpoint, operatorCredentials: credentials }: RunningServices,
  request: Partial<PresignedRequest> & Pick<PresignedRequest, 'key'>,
  now = new Date(),
): Promise<ActualResponse> {
  const { method = 'PUT', key, query = {}, signed = {}, changed = {}, expires = 3600, age = 0 } = request;
  const signingDate = new Date(now.getTime() - age * 1000);
  const options = { endpoint, credentials, key, method, query, signed, expiresIn: expires, signingDate };
  const url = Object.entries(changed).reduce(
    (address, [name, value]) => withParameter(address, name, value),
    await presignedUrl(options),
  );
  const response = await fetch(url, {
    method,
    headers: inUtf8({ ...signed, ...request.headers }),
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
