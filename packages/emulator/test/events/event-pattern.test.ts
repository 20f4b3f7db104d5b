import { describe, expect, it } from 'vitest';
import { matchesEventPattern, parseEventPattern } from '../../events/pattern.ts';
import { collectTargets } from '../../events/targets.ts';
import { functionArn, lambda, resource } from '../support/aws-services.ts';

const event = {
  source: 'aws.s3',
  'detail-type': 'Object Created',
  detail: { bucket: { name: 'b' }, object: { key: 'uploads/1', size: 0 } },
  resources: ['arn:aws:s3:::b'],
};

function matches(pattern: Record<string, unknown>): boolean {
  return matchesEventPattern(parseEventPattern(pattern, 'Rule'), event);
}

function ruleFor(pattern: Record<string, unknown>) {
  const Targets = [{ Id: 'one', Arn: functionArn('Record') }];
  return [lambda('Record'), resource('Rule', 'AWS::Events::Rule', { EventPattern: pattern, Targets })];
}

describe('event patterns', () => {
  it('match when every field has one of its values', () => {
    expect(matches({ source: ['aws.s3'] })).toBe(true);
    expect(matches({ source: ['aws.ec2', 'aws.s3'] })).toBe(true);
    expect(matches({ source: ['aws.s3'], 'detail-type': ['Object Deleted'] })).toBe(false);
    expect(matches({ detail: { bucket: { name: ['b'] }, object: { key: [{ prefix: 'uploads/' }] } } })).toBe(
      true,
    );
    expect(matches({ detail: { object: { key: [{ prefix: 'other/' }] } } })).toBe(false);
    expect(matches({ detail: { object: { size: [0] } } })).toBe(true);
    expect(matches({ detail: { object: { size: ['0'] } } })).toBe(false);
    expect(matches({ detail: { absent: { name: ['b'] } } })).toBe(false);
    expect(matches({ resources: ['arn:aws:s3:::b'] })).toBe(true);
  });

  it.each([
    [{ source: [{ suffix: 's3' }] }, /suffix/],
    [{ $or: [{ source: ['a'] }] }, /\$or/],
    [{ source: 'aws.s3' }, /must be a list/],
  ])('stop the start with a matcher that is not understood: %j', (pattern, message) => {
    expect(() => parseEventPattern(pattern, 'Rule')).toThrow(message);
  });
});

describe('rules', () => {
  const pattern = { source: ['aws.s3'], 'detail-type': ['Object Created'] };

  it('have the retries of EventBridge and of asynchronous invocation unless they say otherwise', () => {
    expect(collectTargets(ruleFor(pattern))).toMatchObject([
      {
        functionName: 'test-Record',
        delivery: { retries: 185, maximumAgeSeconds: 86_400 },
        invocation: { retries: 2, maximumAgeSeconds: 21_600 },
      },
    ]);
  });

  it('stop the start when nothing here would ever match them', () => {
    const deleted = { source: ['aws.s3'], 'detail-type': ['Object Deleted'] };
    expect(() => collectTargets(ruleFor(deleted))).toThrow(/^Rule: only rules for Object Created/);
    expect(() => collectTargets(ruleFor({ source: ['aws.s3'] }))).toThrow(/^Rule: /);
  });

  it('are read and do nothing for the status of the stack, which nothing here changes', () => {
    const status = { source: ['aws.cloudformation'], 'detail-type': ['CloudFormation Stack Status Change'] };
    expect(collectTargets(ruleFor(status))).toEqual([]);
    expect(() => collectTargets(ruleFor({ ...status, source: ['aws.s3'] }))).toThrow(/^Rule: /);
  });
});
