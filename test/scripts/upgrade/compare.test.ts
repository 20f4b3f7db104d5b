import { describe, expect, it, test } from 'vitest';
import { compareStacks, compareTemplates } from '../../../scripts/upgrade/compare.ts';
import type { Finding } from '../../../scripts/upgrade/finding.ts';
import { isClassified } from '../../../scripts/upgrade/resource-classes.ts';
import { loadSchemas } from '../../../scripts/upgrade/schemas.ts';
import type { Resource, Template } from '../../../scripts/upgrade/template.ts';
import { synthesized } from '../../support/synthesized.ts';

const schemas = loadSchemas();

type Part = Partial<Resource> & Pick<Resource, 'Type'>;

const template = (
  resources: Readonly<Record<string, Part>>,
  outputs: Readonly<Record<string, unknown>> = {},
): Template => ({
  Resources: Object.fromEntries(
    Object.entries(resources).map(([id, one]) => [
      id,
      { Properties: {}, DeletionPolicy: undefined, UpdateReplacePolicy: undefined, ...one },
    ]),
  ),
  Outputs: Object.fromEntries(Object.entries(outputs).map(([name, Value]) => [name, { Value }])),
});

/** Kind and subject of each finding. */
const inShort = (findings: readonly Finding[]) => findings.map(({ kind, subject }) => `${kind}: ${subject}`);

const compare = (from: Template, to: Template) => compareTemplates(from, to, schemas);

/** Findings of a change of one resource. */
const changed = (from: Part, to: Part) => compare(template({ It: from }), template({ It: to }));

const key = (AttributeName: string, KeyType = 'HASH') => ({ AttributeName, KeyType });
const index = (IndexName: string, more: object = {}) => ({
  IndexName,
  KeySchema: [key('organisation')],
  Projection: { ProjectionType: 'ALL' },
  ...more,
});

const table = (properties: Resource['Properties'] = {}, more: Partial<Resource> = {}): Part => ({
  Type: 'AWS::DynamoDB::Table',
  Properties: {
    KeySchema: [key('id')],
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    GlobalSecondaryIndexes: [index('a'), index('b')],
    DeletionProtectionEnabled: true,
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    ...properties,
  },
  DeletionPolicy: 'Retain',
  UpdateReplacePolicy: 'Retain',
  ...more,
});

describe('a resource that holds data', () => {
  test('may stay as it is, and change what can be changed in place', () => {
    expect(changed(table(), table())).toEqual([]);
    const more = { BillingMode: 'PROVISIONED', Tags: [{ Key: 'a', Value: 'b' }] };
    expect(changed(table(), table(more))).toEqual([]);
    expect(changed(table(more), table())).toEqual([]);
  });

  test('must not lose its logical ID; the one in its place is named', () => {
    const [finding, ...others] = compare(template({ Old: table() }), template({ New: table() }));
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ kind: 'resource removed', subject: 'Old' });
    expect(finding?.why).toBe(
      'It holds its items. It is retained in the account, but the stack no longer has it. The stack uses New in its place, which starts empty.',
    );
  });

  test('must not be removed, retained or not', () => {
    const removed = (one: Part) => compare(template({ It: one }), template({}))[0]?.why;
    expect(removed(table())).toContain('It is retained in the account');
    expect(removed(table({}, { DeletionPolicy: 'Delete' }))).toContain('CloudFormation deletes it.');
    expect(removed({ Type: 'AWS::KMS::Key' })).toContain('CloudFormation deletes it.');
  });

  test('may be added', () => {
    expect(compare(template({}), template({ It: table() }))).toEqual([]);
  });

  test('must not become one of another type', () => {
    const other = { ...table(), Type: 'AWS::S3::Bucket' };
    expect(inShort(changed(table(), other))).toContain('resource replaced: It');
  });

  test.each<[string, Part, Part, string]>([
    ['partition key', table(), table({ KeySchema: [key('other')] }), 'KeySchema changes from'],
    ['sort key', table(), table({ KeySchema: [key('id'), key('at', 'RANGE')] }), 'KeySchema changes from'],
    ['name', table(), table({ TableName: 'clients' }), 'TableName changes from nothing to "clients"'],
    [
      'type of a key attribute',
      table(),
      table({ AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'N' }] }),
      'The type of the key attribute id changes from S to N',
    ],
    ['local index', table(), table({ LocalSecondaryIndexes: [index('c')] }), 'local secondary indexes'],
    [
      'name of a bucket',
      { Type: 'AWS::S3::Bucket' },
      { Type: 'AWS::S3::Bucket', Properties: { BucketName: 'a' } },
      'BucketName changes',
    ],
    [
      'name of a secret',
      { Type: 'AWS::SecretsManager::Secret' },
      { Type: 'AWS::SecretsManager::Secret', Properties: { Name: 'a' } },
      'Name changes',
    ],
    [
      'kind of a queue',
      { Type: 'AWS::SQS::Queue' },
      { Type: 'AWS::SQS::Queue', Properties: { FifoQueue: true } },
      'FifoQueue changes',
    ],
    [
      'protocol of the API, whose address clients know',
      { Type: 'AWS::ApiGatewayV2::Api', Properties: { ProtocolType: 'HTTP' } },
      { Type: 'AWS::ApiGatewayV2::Api', Properties: { ProtocolType: 'WEBSOCKET' } },
      'ProtocolType changes',
    ],
    [
      'nested create-only property',
      table({ ImportSourceSpecification: { S3BucketSource: { S3Bucket: 'a' } } }),
      table({ ImportSourceSpecification: { S3BucketSource: { S3Bucket: 'b' } } }),
      'ImportSourceSpecification changes',
    ],
  ])('must not be replaced, as by a change of the %s', (_what, from, to, what) => {
    for (const findings of [changed(from, to), changed(to, from)]) {
      expect(inShort(findings)).toEqual(['resource replaced: It']);
    }
    expect(changed(from, to)[0]?.what).toContain(what);
  });

  test('may be replaced as far as anyone knows, when the schemas lack the property', () => {
    expect(inShort(changed(table(), table({ NotKnownYet: 1 })))).toEqual(['resource may be replaced: It']);
  });
});

describe('a reference to something that is replaced', () => {
  const role = (name: string): Part => ({ Type: 'AWS::IAM::Role', Properties: { RoleName: name } });
  const named = (name: unknown) => table({ TableName: name });

  test.each([
    ['Ref', { Ref: 'Role' }],
    ['GetAtt', { 'Fn::GetAtt': ['Role', 'RoleId'] }],
    ['Sub', { 'Fn::Sub': 'table-$' + '{Role.RoleId}' }],
    ['Join', { 'Fn::Join': ['-', ['a', { Ref: 'Role' }]] }],
  ])('replaces what has it in a create-only property: %s', (_how, name) => {
    const of = (roleName: string) => template({ Role: role(roleName), It: named(name) });
    expect(compare(of('a'), of('a'))).toEqual([]);
    const findings = compare(of('a'), of('b'));
    expect(inShort(findings)).toEqual(['resource replaced: It']);
    expect(findings[0]?.what).toBe('TableName refers to Role, which is replaced.');
  });

  test('reaches through several', () => {
    const of = (roleName: string) =>
      template({
        It: named({ Ref: 'Between' }),
        Between: { Type: 'AWS::IAM::Role', Properties: { RoleName: { Ref: 'Role' } } },
        Role: role(roleName),
      });
    expect(inShort(compare(of('a'), of('b')))).toEqual(['resource replaced: It']);
  });

  test('changes in place what has it elsewhere', () => {
    const of = (roleName: string) =>
      template({ Role: role(roleName), It: table({ Tags: [{ Ref: 'Role' }] }) });
    expect(compare(of('a'), of('b'))).toEqual([]);
  });
});

describe('a resource that holds nothing', () => {
  test('may go, come and be replaced, even one that is retained', () => {
    const permission = (Action: string): Part => ({
      Type: 'AWS::Lambda::Permission',
      Properties: { Action },
    });
    expect(changed(permission('a'), permission('b'))).toEqual([]);
    expect(compare(template({ It: permission('a') }), template({ Other: permission('a') }))).toEqual([]);
    const retained = { Type: 'Custom::FirstSigningKey', DeletionPolicy: 'Retain' };
    expect(compare(template({ It: retained }), template({}))).toEqual([]);
  });

  test('is known by its type; another type must be classified, and is protected where it is retained', () => {
    const unknown = { Type: 'AWS::EFS::FileSystem', DeletionPolicy: 'Retain' };
    expect(inShort(compare(template({ It: unknown }), template({})))).toEqual([
      'resource removed: It',
      'type not classified: AWS::EFS::FileSystem',
    ]);
    expect(inShort(changed({ Type: 'Custom::New' }, { Type: 'Custom::New' }))).toEqual([
      'type not classified: Custom::New',
    ]);
  });
});

describe('every type of the template', () => {
  it.each(['prod', 'dev'])('in %s is said to hold something or nothing', (stage) => {
    const types = Object.values(synthesized({ stage }).document.Resources).map(({ Type }) => Type);
    expect([...new Set(types)].filter((type) => !isClassified(type))).toEqual([]);
  });
});

describe('an index of a table', () => {
  const indexes = (...GlobalSecondaryIndexes: object[]) => table({ GlobalSecondaryIndexes });
  const [a, b, c, d] = [index('a'), index('b'), index('c'), index('d')];

  test.each([
    ['one is added', [a, b, c]],
    ['their order changes', [b, a]],
    ['its throughput changes', [{ ...a, OnDemandThroughput: { MaxReadRequestUnits: 5 } }, b]],
  ])('may change so far: %s', (_what, after) => {
    expect(changed(indexes(a, b), indexes(...after))).toEqual([]);
  });

  test.each([
    ['is removed', [a], ['index lost: It']],
    ['has other keys', [index('a', { KeySchema: [key('other')] }), b], ['index lost: It']],
    ['holds less', [index('a', { Projection: { ProjectionType: 'KEYS_ONLY' } }), b], ['index lost: It']],
    ['is one of two that are added', [a, b, c, d], ['index update refused: It']],
    ['is removed while another is added', [a, c], ['index lost: It', 'index update refused: It']],
    ['is removed with the last one', [], ['index lost: It', 'index lost: It', 'index update refused: It']],
  ])('must not change where it %s', (_what, after, kinds) => {
    expect(inShort(changed(indexes(a, b), indexes(...after)))).toEqual(kinds);
  });

  test('may be added to each of two tables', () => {
    const of = (...after: object[]) => template({ It: indexes(...after), Other: indexes(...after) });
    expect(compare(of(a), of(a, b))).toEqual([]);
  });
});

describe('what protects data', () => {
  const policy = (name: string, value?: string) => table({}, { [name]: value });

  test.each(['DeletionPolicy', 'UpdateReplacePolicy'])('may get stronger, and not weaker: %s', (name) => {
    const pairs = (from: string | undefined, to: string | undefined) =>
      inShort(changed(policy(name, from), policy(name, to)));
    expect(pairs('Retain', 'RetainExceptOnCreate')).toEqual([]);
    expect(pairs('RetainExceptOnCreate', 'Retain')).toEqual([]);
    expect(pairs('Delete', 'Retain')).toEqual([]);
    expect(pairs(undefined, 'Delete')).toEqual([]);
    for (const weaker of ['Delete', 'Snapshot', undefined]) {
      expect(pairs('Retain', weaker)).toEqual(['protection weaker: It']);
      expect(pairs('RetainExceptOnCreate', weaker)).toEqual(['protection weaker: It']);
    }
  });

  const bucket = (Properties: Resource['Properties']): Part => ({ Type: 'AWS::S3::Bucket', Properties });
  const rule = (more: object) =>
    bucket({ LifecycleConfiguration: { Rules: [{ Status: 'Enabled', ...more }] } });
  const days = (NoncurrentDays: number) => rule({ NoncurrentVersionExpiration: { NoncurrentDays } });
  const logs = (RetentionInDays?: number): Part => ({
    Type: 'AWS::Logs::LogGroup',
    Properties: { RetentionInDays },
  });
  const queue = (MessageRetentionPeriod: number): Part => ({
    Type: 'AWS::SQS::Queue',
    Properties: { MessageRetentionPeriod },
  });

  test.each<[string, Part, Part, string]>([
    ['deletion protection', table(), table({ DeletionProtectionEnabled: false }), 'protection weaker'],
    ['recovery', table(), table({ PointInTimeRecoverySpecification: undefined }), 'protection weaker'],
    [
      'versions',
      bucket({ VersioningConfiguration: { Status: 'Enabled' } }),
      bucket({ VersioningConfiguration: { Status: 'Suspended' } }),
      'protection weaker',
    ],
    ['replaced content', days(30), days(29), 'kept for less time'],
    ['current content', bucket({}), rule({ ExpirationInDays: 365 }), 'kept for less time'],
    ['logs', logs(90), logs(30), 'kept for less time'],
    ['logs without an end', logs(), logs(30), 'kept for less time'],
    ['messages', queue(1_209_600), queue(86_400), 'kept for less time'],
  ])('may get longer, and not shorter: %s', (_what, strong, weak, kind) => {
    expect(inShort(changed(strong, weak))).toEqual([`${kind}: It`]);
    expect(changed(weak, strong)).toEqual([]);
  });

  test('may delete what the service tagged for it', () => {
    expect(
      changed(bucket({}), rule({ ExpirationInDays: 30, TagFilters: [{ Key: 'a', Value: 'b' }] })),
    ).toEqual([]);
  });

  test('is a KMS key of the same kind: another is refused by CloudFormation', () => {
    const kms = (Properties: Resource['Properties']): Part => ({ Type: 'AWS::KMS::Key', Properties });
    expect(inShort(changed(kms({}), kms({ KeySpec: 'RSA_2048' })))).toEqual(['change refused: It']);
    expect(changed(kms({}), kms({ EnableKeyRotation: true }))).toEqual([]);
  });
});

describe('an output', () => {
  const of = (outputs: Readonly<Record<string, unknown>>) =>
    template({ It: table(), Other: table() }, outputs);

  test('may be added, and change its form', () => {
    expect(compare(of({ A: { Ref: 'It' } }), of({ A: { 'Fn::Sub': '$' + '{It}' }, B: 'b' }))).toEqual([]);
    expect(compare(of({ A: 'a' }), of({ A: 'b' }))).toEqual([]);
  });

  test('must not go', () => {
    expect(inShort(compare(of({ A: 'a', B: 'b' }), of({ B: 'b' })))).toEqual(['output removed: A']);
  });

  test('must not name another resource', () => {
    expect(inShort(compare(of({ A: { Ref: 'It' } }), of({ A: { Ref: 'Other' } })))).toEqual([
      'output moved: A',
    ]);
  });
});

describe('a stack', () => {
  const stack = (name: string, terminationProtection: boolean, { document } = synthesized()) => ({
    name,
    terminationProtection,
    template: document as unknown as Template,
  });
  const short = (from: ReturnType<typeof stack>, to: ReturnType<typeof stack>) =>
    inShort(compareStacks(from, to, schemas));

  test('must keep its name and its protection', () => {
    expect(short(stack('a', true), stack('a', true))).toEqual([]);
    expect(short(stack('a', false), stack('a', true))).toEqual([]);
    expect(short(stack('a', true), stack('b', true))).toEqual(['stack renamed: a']);
    expect(short(stack('a', true), stack('a', false))).toEqual(['protection weaker: a']);
  });
});
