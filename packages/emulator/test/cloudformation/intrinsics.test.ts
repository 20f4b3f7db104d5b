import { describe, expect, it } from 'vitest';
import { evaluateCondition, resolve, type Scope } from '../../cloudformation/intrinsics.ts';

const scope: Scope = {
  ref: (name) => {
    if (name === 'AWS::NoValue') {
      return undefined;
    }
    if (name === 'Table') {
      return 'stack-Table';
    }
    throw new Error(`refers to ${name}, which is not in the template`);
  },
  attribute: (logicalId, name) => `${logicalId}.${name}!`,
  condition: (name) => name === 'Yes',
};

describe('intrinsic functions (CloudFormation, "Intrinsic function reference")', () => {
  it.each([
    ['Ref', { Ref: 'Table' }, 'stack-Table'],
    ['Fn::GetAtt as a list', { 'Fn::GetAtt': ['Table', 'Arn'] }, 'Table.Arn!'],
    ['Fn::GetAtt as a text, with a nested attribute', { 'Fn::GetAtt': 'Table.A.B' }, 'Table.A.B!'],
    ['Fn::Join', { 'Fn::Join': ['-', ['a', { Ref: 'Table' }, 1]] }, 'a-stack-Table-1'],
    ['Fn::Sub', { 'Fn::Sub': `\${Table}/\${Table.Arn}/\${!Literal}` }, `stack-Table/Table.Arn!/\${Literal}`],
    [
      'Fn::Sub with variables',
      { 'Fn::Sub': [`\${x}-\${Table}`, { x: { Ref: 'Table' } }] },
      'stack-Table-stack-Table',
    ],
    ['Fn::Select', { 'Fn::Select': ['1', ['a', 'b']] }, 'b'],
    ['Fn::Split', { 'Fn::Split': ['/', 'a/b'] }, ['a', 'b']],
    ['Fn::Select of Fn::Split', { 'Fn::Select': [0, { 'Fn::Split': ['/', 'a/b'] }] }, 'a'],
    ['Fn::If, true', { 'Fn::If': ['Yes', 'a', 'b'] }, 'a'],
    ['Fn::If, false', { 'Fn::If': ['No', 'a', 'b'] }, 'b'],
    ['nested values', { a: [{ b: { Ref: 'Table' } }] }, { a: [{ b: 'stack-Table' }] }],
  ])('resolves %s', (_, value, expected) => {
    expect(resolve(value, scope)).toEqual(expected);
  });

  it('leaves out what comes to AWS::NoValue', () => {
    const noValue = { Ref: 'AWS::NoValue' };
    expect(resolve({ a: noValue, b: [1, noValue], c: 2 }, scope)).toEqual({ b: [1], c: 2 });
    expect(resolve(noValue, scope)).toBeUndefined();
  });

  it('evaluates conditions', () => {
    const yes = { Condition: 'Yes' };
    const no = { Condition: 'No' };
    expect(evaluateCondition({ 'Fn::And': [yes, { 'Fn::Equals': ['a', 'a'] }] }, scope)).toBe(true);
    expect(evaluateCondition({ 'Fn::Or': [no, { 'Fn::Not': [yes] }] }, scope)).toBe(false);
    expect(evaluateCondition({ 'Fn::Not': [no] }, scope)).toBe(true);
  });

  it('takes the Condition of a policy statement for what it is', () => {
    const statement = { Condition: { Bool: { 'aws:SecureTransport': 'false' } } };
    expect(resolve(statement, scope)).toEqual(statement);
  });

  it.each([
    ['an unknown function', { 'Fn::ImportValue': 'x' }, /Fn::ImportValue is not supported/],
    ['a name that is not there', { Ref: 'Missing' }, /Missing, which is not in the template/],
    ['a function beside other keys', { Ref: 'Table', other: 1 }, /Ref must be the only key/],
    ['an index that is not there', { 'Fn::Select': [5, ['a']] }, /no value at index 5/],
  ])('refuses %s', (_, value, message) => {
    expect(() => resolve(value, scope)).toThrow(message);
  });
});
