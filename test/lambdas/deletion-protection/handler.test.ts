import type { CloudFormation, CloudFormationClient } from '@aws-sdk/client-cloudformation';
import type { DynamoDB } from '@aws-sdk/client-dynamodb';
import { stackId } from 'cloud-assembly-emulator';
import { stack } from 'cloud-assembly-emulator/test/aws-services';
import { createStack } from '../../../lambdas/deletion-protection/protectables.ts';
import { cloudFormationClient, dynamoDBClient } from '../../../tools/operator/deployment/aws-clients.ts';
import { startAws, tables } from '../../support/aws.ts';
import { stubEnvironment } from '../support/environment.ts';
import { fakeClient } from '../support/fake-client.ts';
import { printedBy } from '../support/log.ts';

const names = Object.keys(tables);
const [, clients = '', , uploads = ''] = names;

let cloudFormation: CloudFormation;
let dynamoDb: DynamoDB;

beforeEach(async () => {
  const aws = await startAws();
  cloudFormation = await cloudFormationClient(aws.deployment);
  dynamoDb = await dynamoDBClient(aws.deployment);
  stubEnvironment(aws, {
    STACK_ID: stackId(stack),
    TABLE_NAMES: names.join(),
  });
});
// The function reads its variables when it is loaded, so each test reloads it.
afterEach(() => vi.resetModules());

const load = () => import('../../../lambdas/deletion-protection/handler.ts');

/** Returns the names of the protected resources: the stack, and the tables. */
async function protectedNow() {
  const { Stacks } = await cloudFormation.describeStacks({ StackName: stackId(stack) });
  const described = await Promise.all(names.map((TableName) => dynamoDb.describeTable({ TableName })));
  return [
    ...(Stacks?.[0]?.EnableTerminationProtection ? ['stack'] : []),
    ...described.flatMap(({ Table }) => (Table?.DeletionProtectionEnabled ? [Table.TableName] : [])),
  ];
}

describe('the function that protects from deletion', () => {
  test('protects the stack and its tables once, and logs each', async () => {
    const { handler } = await load();
    expect(await protectedNow()).toEqual([]);
    const lines = await printedBy(handler);
    expect(await protectedNow()).toEqual(['stack', ...names]);
    const logged = ['stack', ...names].map((name) =>
      expect.objectContaining({ level: 'INFO', message: 'Protected from deletion', name }),
    );
    expect(lines).toHaveLength(5);
    expect(lines).toEqual(expect.arrayContaining(logged));
    // It runs every few minutes.
    expect(await printedBy(handler)).toEqual([]);
  });

  test.for([{}, { Stacks: [] }, { Stacks: [{}] }])(
    'fails when CloudFormation responds with %j, without a status',
    async (response) => {
      const { readStatus } = createStack(fakeClient<CloudFormationClient>(response).client, 'stack-id');
      await expect(readStatus()).rejects.toThrow('CloudFormation gave no status of the stack');
    },
  );

  test('protects the others when a table cannot be protected, and fails', async () => {
    vi.stubEnv('TABLE_NAMES', [clients, 'no-such-table', uploads].join());
    const { handler } = await load();
    const lines = await printedBy(async () => {
      await expect(handler()).rejects.toThrow(/^ResourceNotFoundException: see the log of the function$/);
    });
    expect(await protectedNow()).toEqual(['stack', clients, uploads]);
    expect(lines.filter(({ level }) => level === 'ERROR')).toMatchObject([
      { message: 'Could not be protected from deletion', error_name: 'ResourceNotFoundException' },
    ]);
  });
});
