import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import {
  type AttributeValue,
  CreateTableCommand,
  DynamoDBClient,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';
import { clientsTable } from '../../storage/client.ts';
import { filesTable } from '../../storage/file.ts';
import { uploadsTable } from '../../storage/upload.ts';
import type { Deployment } from '../../tools/operator/deployment/deployment.ts';
import { definitionOf } from './dynamodb.ts';
import { listen } from './listen.ts';

interface StoredObject {
  readonly body: string;
  readonly tagging?: string;
  readonly contentType?: string;
  /** What happens to an answer after half of its body. */
  readonly half?: 'stalls' | 'is cut';
}

/** AWS as far as the admin command uses it: DynamoDB by dynalite, and the few other calls, in memory. */
export interface FakeAws {
  readonly deployment: Deployment;
  /** By object key. */
  readonly objects: Map<string, StoredObject>;
  /** Answers of S3 that come before the usual ones. */
  readonly s3Script: { readonly status: number; readonly code: string }[];
  /** The dead-letter queue, by message id. */
  readonly queue: Map<string, string>;
  /** Messages that were received, and neither deleted nor returned. */
  readonly inFlight: Set<string>;
  /** What a function answers, by its name. */
  readonly functions: Map<
    string,
    (payload: unknown) => {
      readonly error?: boolean;
      readonly throttled?: boolean;
      readonly payload: unknown;
    }
  >;
  /** How many more writes of DynamoDB and S3 succeed. Every later one is denied, as after a crash. */
  writesLeft: number;
  /** How many more batches of items DynamoDB gives. Every later one is denied. */
  batchesLeft: number;
  /** Calls of DynamoDB and STS so far, by action: `Query`, `Scan`. */
  readonly calls: Map<string, number>;
  /** Who makes each change of a table and each invocation, as the call says. */
  readonly changers: unknown[];
  /** Whose credentials STS sees. Empty: STS does not know the credentials. */
  caller: string;
  /** The text of the key set secret, if there is one. */
  keySet: string | undefined;
  /** Whether the secret of the private keys has a rotation schedule. */
  rotates: boolean;
  readonly putItem: (
    table: 'uploads' | 'files' | 'clients',
    item: Record<string, AttributeValue>,
  ) => Promise<void>;
  readonly stop: () => Promise<void>;
}

const tables = { clients: clientsTable, files: filesTable, uploads: uploadsTable };

/** Starts it until the end of the test that asks for it, or of the file. */
export async function startFakeAws(): Promise<FakeAws> {
  const database = dynalite({ createTableMs: 0 });
  const server = createServer();
  const endpoint = await listen(server);
  const awsConfig = {
    region: 'us-east-1',
    endpoint,
    credentials: { accessKeyId: 'operator', secretAccessKey: 'secret' },
  };
  const client = new DynamoDBClient(awsConfig);
  const fake: FakeAws = {
    deployment: { stackName: 'file-sync-test', awsConfig, outputs },
    objects: new Map(),
    s3Script: [],
    queue: new Map(),
    inFlight: new Set(),
    functions: new Map(),
    writesLeft: Number.POSITIVE_INFINITY,
    batchesLeft: Number.POSITIVE_INFINITY,
    calls: new Map(),
    changers: [],
    caller: 'arn:aws:iam::000000000000:user/operator',
    keySet: undefined,
    rotates: true,
    putItem: async (table, item) =>
      void (await client.send(new PutItemCommand({ TableName: table, Item: item }))),
    stop: async () => {
      client.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  server.on('request', (request, response) => {
    const target = String(request.headers['x-amz-target'] ?? '');
    const isDenied = isWrite(target, request.method)
      ? fake.writesLeft-- <= 0
      : target.endsWith('.BatchGetItem') && fake.batchesLeft-- <= 0;
    if (isDenied) {
      request.resume();
      json(response, 400, { __type: 'AccessDeniedException', message: 'no more of this' });
      return;
    }
    if (isWrite(target, request.method) || request.url?.includes('/functions/')) {
      request.once('data', (body) => {
        fake.changers.push(/(?:updated_by":{"S"|"operator"):"([^"]+)/.exec(String(body))?.[1]);
      });
    }
    if (target.startsWith('DynamoDB_')) {
      countCall(fake, target.slice(target.indexOf('.') + 1));
      database.emit('request', request, response);
    } else {
      void answer(fake, target, request, response);
    }
  });
  for (const [TableName, keys] of Object.entries(tables)) {
    const table = { TableName, BillingMode: 'PAY_PER_REQUEST', ...definitionOf(keys) } as const;
    await client.send(new CreateTableCommand(table));
  }
  return fake;
}

/** Whether a call changes a table or the bucket. */
function isWrite(target: string, method: string | undefined): boolean {
  return target === '' ? method === 'PUT' : /^DynamoDB_.*\.(Put|Update|Delete)Item$/.test(target);
}

const outputs = {
  BaseUrl: 'http://127.0.0.1:3000',
  ClientsTableName: 'clients',
  FilesTableName: 'files',
  UploadsTableName: 'uploads',
  BucketName: 'bucket',
  SigningKeySecretArn: 'arn:aws:secretsmanager:us-east-1:000000000000:secret:signing-key',
  KeySetSecretArn: 'arn:aws:secretsmanager:us-east-1:000000000000:secret:key-set',
  RecordUploadFunctionName: 'record-upload',
  ReconcileUploadsFunctionName: 'reconcile-uploads',
  RotateSigningKeyFunctionName: 'signing-keys',
  DeadLetterQueueUrl: 'https://sqs.us-east-1.amazonaws.com/000000000000/dead-letters',
  DashboardName: 'dashboard',
  SupersededRetentionDays: '30',
};

async function answer(
  fake: FakeAws,
  target: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await text(request);
  const path = decodeURIComponent(request.url ?? '');
  if (target.startsWith('AmazonSQS.')) {
    answerQueue(fake, target, JSON.parse(body), response);
  } else if (target.startsWith('secretsmanager.')) {
    answerSecrets(fake, target, response);
  } else if (path.startsWith('/2015-03-31/functions/')) {
    answerFunction(fake, path, JSON.parse(body), response);
  } else if (body.includes('Action=GetCallerIdentity')) {
    answerCaller(fake, response);
  } else {
    answerS3(fake, request, path, body, response);
  }
}

function countCall({ calls }: FakeAws, action: string): void {
  calls.set(action, (calls.get(action) ?? 0) + 1);
}

function answerCaller(fake: FakeAws, response: ServerResponse): void {
  countCall(fake, 'GetCallerIdentity');
  response.writeHead(fake.caller === '' ? 403 : 200);
  response.end(`<R><GetCallerIdentityResult><Arn>${fake.caller}</Arn></GetCallerIdentityResult></R>`);
}

function json(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1', ...headers });
  response.end(JSON.stringify(value));
}

function answerQueue(
  { queue, inFlight }: FakeAws,
  target: string,
  input: { ReceiptHandle?: string },
  response: ServerResponse,
): void {
  if (target.endsWith('.DeleteMessage')) {
    queue.delete(input.ReceiptHandle ?? '');
    inFlight.delete(input.ReceiptHandle ?? '');
    json(response, 200, {});
    return;
  }
  if (target.endsWith('.ChangeMessageVisibility')) {
    inFlight.delete(input.ReceiptHandle ?? '');
    json(response, 200, {});
    return;
  }
  const visible = [...queue].filter(([id]) => !inFlight.has(id));
  const received = visible.slice(0, 10);
  for (const [id] of received) {
    inFlight.add(id);
  }
  const messages = received.map(([id, text]) => ({
    MessageId: id,
    ReceiptHandle: id,
    Body: text,
    MD5OfBody: createHash('md5').update(text).digest('hex'),
  }));
  json(response, 200, { Messages: messages });
}

function answerSecrets(fake: FakeAws, target: string, response: ServerResponse): void {
  if (target.endsWith('.RotateSecret') && !fake.rotates) {
    const Message = 'No Lambda rotation function ARN is associated with this secret.';
    json(response, 400, { __type: 'InvalidRequestException', Message });
  } else if (target.endsWith('.RotateSecret')) {
    json(response, 200, { VersionId: 'rotated' });
  } else if (target.endsWith('.DescribeSecret')) {
    json(response, 200, { VersionIdsToStages: { rotated: ['AWSCURRENT'] } });
  } else if (fake.keySet !== undefined) {
    json(response, 200, { SecretString: fake.keySet });
  } else {
    json(response, 400, { __type: 'ResourceNotFoundException', Message: 'no value' });
  }
}

function answerFunction(
  { functions }: FakeAws,
  path: string,
  payload: unknown,
  response: ServerResponse,
): void {
  const act = functions.get(path.split('/')[3] ?? '');
  const result = act?.(payload) ?? {
    error: true,
    payload: { errorType: 'Error', errorMessage: 'no function' },
  };
  if ('throttled' in result && result.throttled) {
    json(
      response,
      429,
      { Type: 'User', message: 'Rate Exceeded.' },
      { 'x-amzn-errortype': 'TooManyRequestsException' },
    );
    return;
  }
  json(response, 200, result.payload, result.error ? { 'x-amz-function-error': 'Unhandled' } : {});
}

function answerS3(
  { objects, s3Script }: FakeAws,
  request: IncomingMessage,
  path: string,
  body: string,
  response: ServerResponse,
): void {
  const [address = '', query = ''] = path.split('?');
  const key = address.replace('/bucket/', '');
  const stored = objects.get(key);
  const scripted = s3Script.shift();
  const fail = (status: number, code: string) =>
    response.writeHead(status).end(`<Error><Code>${code}</Code><Message>${code}</Message></Error>`);
  if (scripted !== undefined) {
    fail(scripted.status, scripted.code);
  } else if (request.method === 'PUT') {
    if (stored !== undefined && request.headers['if-none-match'] === '*') {
      fail(412, 'PreconditionFailed');
    } else {
      const tagging = request.headers['x-amz-tagging'];
      objects.set(key, { body, ...(typeof tagging === 'string' && { tagging }) });
      response.writeHead(200, { 'x-amz-version-id': randomUUID() }).end();
    }
  } else if (stored === undefined) {
    fail(404, 'NoSuchKey');
  } else if (query.startsWith('tagging')) {
    response.writeHead(200).end(taggingXml(stored.tagging));
  } else {
    const { contentType = 'binary/octet-stream' } = stored;
    // Every answer of AWS has an id: an answer without one may be a page of something in between.
    response.writeHead(200, { 'content-type': contentType, 'x-amz-request-id': randomUUID() });
    if (stored.half === undefined) {
      response.end(request.method === 'HEAD' ? '' : stored.body);
      return;
    }
    response.write(stored.body.slice(0, stored.body.length / 2), () => {
      if (stored.half === 'is cut') {
        response.destroy();
      }
    });
  }
}

function taggingXml(tagging = ''): string {
  const tags = [...new URLSearchParams(tagging)].map(
    ([key, value]) => `<Tag><Key>${key}</Key><Value>${value}</Value></Tag>`,
  );
  return `<Tagging><TagSet>${tags.join('')}</TagSet></Tagging>`;
}
