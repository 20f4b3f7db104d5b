import {
  allow,
  byIndex,
  functionRole,
  prepareRuns,
  resource,
  secretKey,
  table,
} from './support/aws-services.ts';
import { clients } from './support/clients.ts';

const TableName = 'test-Table';
const tableArn = 'arn:aws:dynamodb:us-east-1:000000000000:table/test-Table';
const key = secretKey('Token');
const secret = resource('Private', 'AWS::SecretsManager::Secret', {
  KmsKeyId: key.attributes.Arn,
  SecretString: 'private value',
});
const mayRead = allow('secretsmanager:GetSecretValue', secret.ref);
const resources = [
  table(),
  key,
  secret,
  ...functionRole('Token', mayRead),
  ...functionRole('Other', mayRead),
  ...functionRole('Files', allow(['dynamodb:GetItem', 'dynamodb:Query'], tableArn)),
];

const lines: Record<string, unknown>[] = [];

const runs = await prepareRuns(resources);
const aws = await runs.start({ log: (line) => lines.push({ ...line }) });

const get = () => ({ TableName, Key: { id: { S: 'a' } } });

describe('DynamoDB', () => {
  it('allows a role the table in its policy, but not its index', async () => {
    const { dynamodb } = clients(aws, 'Files');
    await dynamodb.getItem(get());
    const put = { TableName, Item: { id: { S: 'a' } } };
    await expect(dynamodb.putItem(put)).rejects.toThrow('to perform: dynamodb:PutItem');
    const query = byIndex('by-owner', 'owner', 'acme');
    await expect(dynamodb.query(query)).rejects.toThrow('to perform: dynamodb:Query');
    expect(lines).toContainEqual(
      expect.objectContaining({
        message: 'access denied',
        role: 'test-Files',
        session: 'files',
        action: 'dynamodb:Query',
        resource: `${tableArn}/index/by-owner`,
      }),
    );
  });
});

describe('signatures of service requests', () => {
  it('are required', async () => {
    const headers = { 'x-amz-target': 'DynamoDB_20120810.GetItem' };
    const unsigned = await fetch(aws.endpoint, { method: 'POST', headers, body: '{}' });
    const types = ['content-type', 'x-amzn-requestid'].map((name) => unsigned.headers.get(name));
    expect([unsigned.status, ...types, await unsigned.text()]).toEqual([
      400,
      'application/x-amz-json-1.0',
      expect.any(String),
      '{"__type":"com.amazonaws.dynamodb.v20120810#MissingAuthenticationTokenException","message":"Request is missing Authentication Token","Message":"Request is missing Authentication Token"}',
    ]);
  });

  it('are rejected by STS with the errors of the query protocol', async () => {
    const identify = (caller: Parameters<typeof clients>[1]) => clients(aws, caller).sts.getCallerIdentity();
    const { operatorCredentials: known } = aws;
    await expect(identify({ ...known, accessKeyId: 'AKIAUNKNOWN' })).rejects.toMatchObject({
      name: 'InvalidClientTokenId',
    });
    await expect(identify({ ...known, secretAccessKey: 'wrong' })).rejects.toMatchObject({
      name: 'SignatureDoesNotMatch',
    });
    expect((await identify('Files')).Arn).toBe('arn:aws:sts::000000000000:assumed-role/test-Files/files');
  });
});

describe('a secret', () => {
  it('rejects a role whose policy does not name it', async () => {
    const { secrets } = clients(aws, 'Files');
    const at = { SecretId: 'test-Private' };
    await expect(secrets.getSecretValue(at)).rejects.toThrow('secretsmanager:GetSecretValue');
  });

  it('under a customer-managed key also requires access to the key', async () => {
    const read = (role: string) => clients(aws, role).secrets.getSecretValue({ SecretId: secret.ref });
    expect((await read('Token')).SecretString).toBe('private value');
    await expect(read('Other')).rejects.toThrow('Access to KMS is not allowed');
  });
});

it.for<[string, (role: ReturnType<typeof clients>) => Promise<unknown>]>([
  ['lambda:InvokeFunction', ({ lambda }) => lambda.invoke({ FunctionName: 'test-Echo' })],
  [
    'cloudformation:ListStackResources',
    ({ cloudformation }) => cloudformation.listStackResources({ StackName: 'test' }),
  ],
])('a role without a permission is rejected: %s', async ([action, call]) => {
  await expect(call(clients(aws, 'Files'))).rejects.toThrow(`to perform: ${action}`);
});
