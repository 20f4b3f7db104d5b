import { describe, expect, it } from 'vitest';
import {
  addPendingVersion,
  findVersion,
  putValue,
  type Secret,
  stagesByVersion,
  updateStage,
} from '../../secrets-manager/secret.ts';

const empty: Secret = { arn: 'arn', name: 'name', createdAt: 0, changedAt: 0, versions: [] };
const one = putValue(empty, 'v1', { text: 'one' }, ['AWSCURRENT'], 1);
const two = putValue(one, 'v2', { text: 'two' }, ['AWSCURRENT'], 2);

describe('PutSecretValue', () => {
  it('changes nothing when it is repeated, and never a value', () => {
    expect(putValue(two, 'v2', { text: 'two' }, ['AWSCURRENT'], 9)).toBe(two);
    expect(() => putValue(two, 'v2', { text: 'other' }, ['AWSCURRENT'], 9)).toThrow(
      /can't modify an existing/,
    );
  });
});

describe('GetSecretValue', () => {
  it('does not find the version of a rotation that has put no value yet', () => {
    const begun = addPendingVersion(one, 'v2', 2);
    expect(stagesByVersion(begun)).toEqual({ v1: ['AWSCURRENT'], v2: ['AWSPENDING'] });
    expect(() => findVersion(begun, 'v2', 'AWSPENDING')).toThrow(/can't find the specified secret value/);
  });
});

describe('UpdateSecretVersionStage', () => {
  const rotated = putValue(addPendingVersion(one, 'v2', 2), 'v2', { text: 'two' }, ['AWSPENDING'], 2);

  it('must be told where the label is', () => {
    expect(() => updateStage(rotated, 'AWSCURRENT', 'v2', undefined)).toThrow(
      /name it in RemoveFromVersionId/,
    );
    expect(() => updateStage(rotated, 'AWSCURRENT', 'v2', 'v2')).toThrow(/isn't attached/);
    expect(() => updateStage(rotated, 'AWSCURRENT', 'v9', 'v1')).toThrow(/VersionId: v9/);
  });

  it('never takes AWSCURRENT off', () => {
    expect(() => updateStage(rotated, 'AWSCURRENT', undefined, 'v1')).toThrow(
      /only move staging label AWSCURRENT/,
    );
  });
});
