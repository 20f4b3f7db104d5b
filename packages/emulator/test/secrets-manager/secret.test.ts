import { describe, expect, it } from 'vitest';
import { addPendingVersion, putValue, type Secret, updateStage } from '../../secrets-manager/secret.ts';

const empty: Secret = { arn: 'arn', name: 'name', createdAt: 0, changedAt: 0, versions: [] };
const one = putValue(empty, 'v1', { text: 'one' }, ['AWSCURRENT'], 1);
const two = putValue(one, 'v2', { text: 'two' }, ['AWSCURRENT'], 2);

describe('PutSecretValue', () => {
  it('has no effect when repeated, and never changes a value', () => {
    expect(putValue(two, 'v2', { text: 'two' }, ['AWSCURRENT'], 9)).toBe(two);
    expect(() => putValue(two, 'v2', { text: 'other' }, ['AWSCURRENT'], 9)).toThrow(
      "You can't modify an existing version, you can only create a new version.",
    );
  });
});

describe('UpdateSecretVersionStage', () => {
  const rotated = putValue(addPendingVersion(one, 'v2', 2), 'v2', { text: 'two' }, ['AWSPENDING'], 2);

  it('requires the current version of the label', () => {
    expect(() => updateStage(rotated, 'AWSCURRENT', 'v2', undefined)).toThrow(
      'Staging label AWSCURRENT is attached to version v1: name it in RemoveFromVersionId.',
    );
    expect(() => updateStage(rotated, 'AWSCURRENT', 'v2', 'v2')).toThrow(
      "The staging label AWSCURRENT isn't attached to the version in RemoveFromVersionId.",
    );
    expect(() => updateStage(rotated, 'AWSCURRENT', 'v9', 'v1')).toThrow(
      "Secrets Manager can't find the specified secret value for VersionId: v9",
    );
  });

  it('never removes AWSCURRENT', () => {
    expect(() => updateStage(rotated, 'AWSCURRENT', undefined, 'v1')).toThrow(
      'You can only move staging label AWSCURRENT to a different secret version.',
    );
  });
});
