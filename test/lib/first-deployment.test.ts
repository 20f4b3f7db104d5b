import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { nameProperties } from '../../emulator/cloudformation/held-resources.ts';
import {
  createSimulatedAccount,
  type DeployOptions,
} from '../../emulator/cloudformation/simulated-account.ts';
import { type Template, templateSchema } from '../../emulator/cloudformation/template.ts';
import { protect } from '../../lambdas/deletion-protection/protect.ts';
import { stages } from '../../lib/configuration.ts';
import { readable, resourcesOf, synthesized } from '../support/synthesized.ts';

const parsed = (document: unknown): Template => v.parse(templateSchema, document);

function deployment(context: Readonly<Record<string, unknown>>) {
  const { document, stack } = synthesized(context);
  const terminationProtection = stack.terminationProtection ?? false;
  return { document, template: parsed(document), terminationProtection };
}

/** What a page may say is left: the only thing that AWS keeps for a while although it was deleted. */
const mayBeLeft = ['AWS::KMS::Key pending deletion'];

function leftIn(account: ReturnType<typeof createSimulatedAccount>): readonly string[] {
  // A custom resource is nothing by itself: what its function makes is in another resource.
  const left = account.resources().filter(({ inStack, type }) => !inStack && !type.startsWith('Custom::'));
  return left.map(({ type, pendingDeletion }) => (pendingDeletion ? `${type} pending deletion` : type));
}

const tableIds = ['ClientsTable5BB59C73', 'FilesTableBFDD0A3F', 'UploadsTable96857CE8'];

/** The function of the product, in the simulated account. */
async function runProtection(account: ReturnType<typeof createSimulatedAccount>): Promise<void> {
  const stack = account.stack();
  await protect({
    readStatus: async () => stack?.status ?? 'DELETE_COMPLETE',
    stack: {
      name: 'stack',
      isProtected: async () => stack?.isProtected ?? false,
      protect: async () => {
        if (stack !== undefined) {
          stack.isProtected = true;
        }
      },
    },
    tables: tableIds.map((name) => ({
      name,
      isProtected: async () => false,
      protect: async () => account.protect(name),
    })),
    log: () => undefined,
  });
}

describe.each(stages)('a first deployment (%s)', (stage) => {
  const { document, template, terminationProtection } = deployment({ stage });
  const resources = Object.keys(template.Resources);
  const failures = [true, false].flatMap((exists) =>
    (['all', 'none'] as const).map((others) => ({ exists, others })),
  );

  it('that fails at any resource leaves nothing but a key that is being deleted, and the next one succeeds', async () => {
    const culprits: unknown[] = [];
    for (const at of resources) {
      for (const failure of failures) {
        const outcome = await failOnce({ at, ...failure });
        if (!isDeepStrictEqual(outcome, expected)) {
          culprits.push({ at, failure, outcome });
        }
      }
    }
    expect(culprits).toEqual([]);
  });

  const expected = {
    first: { status: 'ROLLBACK_COMPLETE', isProtected: false },
    protectedAfterwards: false,
    inStack: 0,
    left: [],
    second: 'CREATE_COMPLETE',
    made: resources.length,
  };

  async function failOnce(failure: NonNullable<DeployOptions['failure']>) {
    const account = createSimulatedAccount();
    const inStack = () => account.resources().filter((resource) => resource.inStack).length;
    const first = account.deploy(template, { terminationProtection, failure });
    await runProtection(account);
    return {
      first,
      protectedAfterwards: account.stack()?.isProtected,
      inStack: inStack(),
      left: leftIn(account).filter((type) => !mayBeLeft.includes(type)),
      second: account.deploy(template, { terminationProtection }).status,
      made: inStack(),
    };
  }

  it('that fails twice, at the first and the last resource, can be repeated', () => {
    const account = createSimulatedAccount();
    for (const at of [resources.at(0) ?? '', resources.at(-1) ?? '']) {
      const failure = { at, exists: true, others: 'all' } as const;
      expect(account.deploy(template, { terminationProtection, failure }).status).toBe('ROLLBACK_COMPLETE');
    }
    expect(account.deploy(template, { terminationProtection }).status).toBe('CREATE_COMPLETE');
  });

  it('fixes no name that a second creation could find taken, nor that of a log group', () => {
    // An event bus needs a name. That of this one is made of the name of the stack, and the bus goes with the stack.
    const named = Object.entries(document.Resources).filter(
      ([, { Type }]) => Type === 'AWS::Events::EventBus',
    );
    expect(named.map(([, { Properties, ...policies }]) => [readable(Properties?.Name), policies])).toEqual([
      ['<AWS::StackName>-uploads', { Type: 'AWS::Events::EventBus' }],
    ]);
    const others = Object.entries(document.Resources).filter(([id]) => id !== named[0]?.[0]);
    for (const [id, { Type, Properties = {} }] of others) {
      expect(Properties, id).not.toHaveProperty(nameProperties[Type] ?? 'no such property');
    }
  });

  it('gives no function of the service the right to make its log group again after a rollback deleted it', () => {
    const policies = resourcesOf(document, 'AWS::IAM::Policy').map(([, resource]) =>
      JSON.stringify(resource),
    );
    expect(policies.length).toBeGreaterThan(5);
    expect(policies.filter((policy) => policy.includes('logs:CreateLogGroup'))).toEqual([]);
  });
});

describe('a first deployment whose functions never answer', () => {
  it('is rolled back completely, and can be repeated', () => {
    const { template, terminationProtection } = deployment({ stage: 'prod' });
    const account = createSimulatedAccount();
    const silent = { terminationProtection, functionsAnswer: false };
    for (const attempt of [1, 2]) {
      expect(account.deploy(template, silent).status, `attempt ${attempt}`).toBe('ROLLBACK_COMPLETE');
    }
    expect(account.deploy(template, { terminationProtection }).status).toBe('CREATE_COMPLETE');
  });
});

describe('after the first success in prod', () => {
  const { template, terminationProtection } = deployment({});

  async function complete() {
    const account = createSimulatedAccount();
    account.deploy(template, { terminationProtection });
    await runProtection(account);
    return account;
  }

  it('the stack and every table are protected', async () => {
    const account = await complete();
    expect(account.stack()).toEqual({ status: 'CREATE_COMPLETE', isProtected: true });
    const isProtected = account.resources().filter((resource) => resource.isProtected);
    expect(isProtected.map(({ logicalId }) => logicalId).sort()).toEqual(tableIds);
    expect(() => account.deleteStack(template)).toThrow('TerminationProtection');
  });

  it('a deletion retains everything that holds data, and another first deployment succeeds beside it', async () => {
    const account = await complete();
    const stack = account.stack();
    if (stack !== undefined) {
      stack.isProtected = false;
    }
    account.deleteStack(template);
    expect(account.stack()).toBeUndefined();
    const types = new Set(leftIn(account));
    const counts = [...types].map((type) => [type, leftIn(account).filter((other) => other === type).length]);
    expect(Object.fromEntries(counts)).toEqual({
      'AWS::DynamoDB::Table': 3,
      'AWS::S3::Bucket': 1,
      'AWS::KMS::Key': 1,
      'AWS::SecretsManager::Secret': 2,
      'AWS::SQS::Queue': 1,
      'AWS::Logs::LogGroup': 9,
    });
    expect(account.deploy(template, { terminationProtection }).status).toBe('CREATE_COMPLETE');
  });
});

describe('the simulation', () => {
  const { template } = deployment({});
  const lastTable = { at: 'UploadsTable96857CE8', exists: true, others: 'all' } as const;
  const changed = (change: (resource: Template['Resources'][string]) => object): Template => ({
    ...template,
    Resources: Object.fromEntries(
      Object.entries(template.Resources).map(([id, resource]) => [
        id,
        { ...resource, ...change(resource) } as typeof resource,
      ]),
    ),
  });

  it('shows that termination protection from the start wedges the stack', () => {
    const account = createSimulatedAccount();
    account.deploy(template, { terminationProtection: true, failure: lastTable });
    expect(() => account.deploy(template, { terminationProtection: true })).toThrow('TerminationProtection');
  });

  it('shows that Retain leaves tables behind', () => {
    const account = createSimulatedAccount();
    const retained = changed(({ DeletionPolicy }) =>
      DeletionPolicy === 'RetainExceptOnCreate' ? { DeletionPolicy: 'Retain' } : {},
    );
    account.deploy(retained, { terminationProtection: false, failure: lastTable });
    expect(leftIn(account)).toContain('AWS::DynamoDB::Table');
  });

  it('shows that deletion protection in the template fails the rollback', () => {
    const account = createSimulatedAccount();
    const withProtection = changed(({ Type, Properties }) =>
      Type === 'AWS::DynamoDB::Table'
        ? { Properties: { ...Properties, DeletionProtectionEnabled: true } }
        : {},
    );
    expect(account.deploy(withProtection, { terminationProtection: false, failure: lastTable }).status).toBe(
      'ROLLBACK_FAILED',
    );
  });

  it('shows that a custom resource that must be deleted by its function wedges the stack', () => {
    const account = createSimulatedAccount();
    const deleted = changed(({ Type }) => (Type.startsWith('Custom::') ? { DeletionPolicy: 'Delete' } : {}));
    const silent = { terminationProtection: false, functionsAnswer: false };
    expect(account.deploy(deleted, silent).status).toBe('ROLLBACK_FAILED');
    expect(() => account.deploy(deleted, silent)).toThrow('it is DELETE_FAILED');
  });

  it('shows that a fixed name is taken when it was retained', () => {
    const account = createSimulatedAccount();
    const named = changed(({ Type, Properties }) =>
      Type === 'AWS::S3::Bucket' ? { Properties: { ...Properties, BucketName: 'uploads' } } : {},
    );
    account.deploy(named, { terminationProtection: false });
    account.deleteStack(named);
    expect(() => account.deploy(named, { terminationProtection: false })).toThrow('already exists');
  });

  it('knows the log group of each function by a reference, so that no name is fixed there either', () => {
    for (const [, { Properties = {} }] of resourcesOf(synthesized({}).document, 'AWS::Lambda::Function')) {
      const { LogGroup } = Properties.LoggingConfig as { readonly LogGroup: unknown };
      expect(readable(LogGroup)).toMatch(/^<\w+Logs>$/);
    }
  });
});
