import { parseEventPattern } from '../../events/pattern.ts';
import { collectTargets } from '../../events/targets.ts';
import { functionArn, lambda, resource } from '../support/aws-services.ts';

function ruleFor(pattern: Record<string, unknown>) {
  const Targets = [{ Id: 'one', Arn: functionArn('Record') }];
  return [lambda('Record'), resource('Rule', 'AWS::Events::Rule', { EventPattern: pattern, Targets })];
}

test('a pattern of two fields matches one object in a list', () => {
  const matches = parseEventPattern({ items: { id: [1], kind: ['a'] } }, 'Rule');
  expect(matches({ items: [{ id: 2 }, { id: 1, kind: 'a' }] })).toBe(true);
  expect(matches({ items: [{ id: 1 }, { kind: 'a' }] })).toBe(false);
});

describe('rules', () => {
  const pattern = { source: ['aws.s3'], 'detail-type': ['Object Created'] };

  test('use the retries of EventBridge and Lambda by default', () => {
    expect(collectTargets(ruleFor(pattern))).toMatchObject([
      {
        functionName: 'test-Record',
        delivery: { retries: 185, maxAgeSeconds: 86_400 },
        invocation: { retries: 2, maxAgeSeconds: 21_600 },
      },
    ]);
  });

  const status = 'CloudFormation Stack Status Change';

  test.for([['Object Deleted'], [status], undefined])(
    'stop the start if no event can match them: %j',
    (types) => {
      const rule = ruleFor({ source: ['aws.s3'], 'detail-type': types });
      expect(() => collectTargets(rule)).toThrow(
        'Rule: only rules for Object Created of aws.s3 are supported on the default bus',
      );
    },
  );

  test('ignore the status of the stack, which never changes', () => {
    expect(collectTargets(ruleFor({ source: ['aws.cloudformation'], 'detail-type': [status] }))).toEqual([]);
  });
});
