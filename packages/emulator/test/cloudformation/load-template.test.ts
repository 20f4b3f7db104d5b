import { loadTemplate } from '../../cloudformation/load-template.ts';
import { resourceTypes } from '../../services.ts';
import { stack } from '../support/aws-services.ts';

const load = (template: Record<string, unknown>) => loadTemplate(template, resourceTypes, stack);

const logGroup = { Type: 'AWS::Logs::LogGroup', Properties: { RetentionInDays: 30 } };

it('a loaded template contains resolved resources in its order', () => {
  const thing = (properties: object) => ({
    Type: 'Custom::Thing',
    Properties: { ServiceToken: 'arn', ...properties },
  });
  const loaded = load({
    Resources: {
      Maker: thing({ Substituted: { 'Fn::Sub': `\${Group.Arn}` } }),
      Nesting: thing({ Nested: [{ Name: { Ref: 'Other' } }] }),
      Joiner: thing({ Joined: { 'Fn::Join': ['-', ['a', { Ref: 'AWS::Region' }, 1]] } }),
      Other: logGroup,
      Group: logGroup,
    },
    Outputs: { GroupArn: { Value: { 'Fn::GetAtt': ['Group', 'Arn'] } } },
  });
  const GroupArn = 'arn:aws:logs:us-east-1:000000000000:log-group:test-Group:*';
  expect(loaded.resources.map(({ logicalId, properties }) => [logicalId, properties])).toMatchObject([
    ['Maker', { Substituted: GroupArn }],
    ['Nesting', { Nested: [{ Name: 'test-Other' }] }],
    ['Joiner', { Joined: 'a-us-east-1-1' }],
    ['Other', {}],
    ['Group', {}],
  ]);
  expect(loaded.outputs).toEqual({ GroupArn });
});

describe('anything unsupported stops the start, by name', () => {
  it.each([
    [
      'a resource type',
      { Resources: { Cache: { Type: 'AWS::ElastiCache::CacheCluster' } } },
      'Resource Cache (AWS::ElastiCache::CacheCluster): this resource type is not supported',
    ],
    [
      'a property',
      { Resources: { Group: { ...logGroup, Properties: { FieldIndexPolicies: [] } } } },
      'Resource Group (AWS::Logs::LogGroup): the property FieldIndexPolicies is not supported',
    ],
    [
      'an intrinsic function',
      { Resources: { Group: { ...logGroup, Properties: { KmsKeyId: { 'Fn::ImportValue': 'x' } } } } },
      'Resource Group (AWS::Logs::LogGroup): the intrinsic function Fn::ImportValue is not supported',
    ],
    [
      'a reference to an unknown name',
      { Resources: { Group: { ...logGroup, Properties: { KmsKeyId: { Ref: 'Key' } } } } },
      'Resource Group (AWS::Logs::LogGroup): refers to Key, which is not in the template',
    ],
    [
      'a parameter',
      { Parameters: { Stage: { Type: 'String' } }, Resources: {} },
      'Template: the property Parameters is not supported',
    ],
    [
      'a condition',
      { Resources: { Group: { ...logGroup, Condition: 'Yes' } } },
      'Template: the property Resources.Group.Condition is not supported',
    ],
  ])('%s', (_, template, message) => {
    expect(() => load(template)).toThrow(message);
  });

  it('reports all problems at the same time', () => {
    const act = () => load({ Resources: { One: { Type: 'A::B::C' }, Two: { Type: 'D::E::F' } } });
    expect(act).toThrow(
      'The emulator cannot run the template.\n  - Resource One (A::B::C): this resource type is not supported\n  - Resource Two (D::E::F): this resource type is not supported\nThe emulator rejects anything unknown, because it must not ignore a part of the stack. Remove it from the stack, or add it to the emulator as its README.md describes.',
    );
  });
});
