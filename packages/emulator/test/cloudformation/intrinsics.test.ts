import { describe, expect, it } from 'vitest';
import { resolve, type Scope } from '../../cloudformation/intrinsics.ts';

const scope: Scope = {
  ref: (name) => {
    if (name === 'Table') {
      return 'stack-Table';
    }
    throw new Error(`refers to ${name}, which is not in the template`);
  },
  attribute: (logicalId, name) => `${logicalId}.${name}!`,
};

describe('intrinsic functions (CloudFormation, "Intrinsic function reference")', () => {
  it.each([
    ['Ref', { Ref: 'Table' }, 'stack-Table'],
    ['Fn::GetAtt as a list', { 'Fn::GetAtt': ['Table', 'Arn'] }, 'Table.Arn!'],
    ['Fn::GetAtt as a text, with a nested attribute', { 'Fn::GetAtt': 'Table.A.B' }, 'Table.A.B!'],
    ['Fn::Join', { 'Fn::Join': ['-', ['a', { Ref: 'Table' }, 1]] }, 'a-stack-Table-1'],
    ['Fn::Sub', { 'Fn::Sub': `\${Table}/\${Table.Arn}` }, 'stack-Table/Table.Arn!'],
    ['nested values', { a: [{ b: { Ref: 'Table' } }] }, { a: [{ b: 'stack-Table' }] }],
  ])('resolves %s', (_, value, expected) => {
    expect(resolve(value, scope)).toEqual(expected);
  });

  it('takes the Condition of a policy statement for what it is', () => {
    const statement = { Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } };
    expect(resolve(statement, scope)).toEqual(statement);
  });
});
