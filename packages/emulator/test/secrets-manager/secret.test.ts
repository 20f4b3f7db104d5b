import { describe, expect, it } from 'vitest';
import {
  addPendingVersion,
  findVersion,
  putValue,
  type Secret,
  stagesByVersion,
  unfinishedRotation,
  updateStage,
} from '../../secrets-manager/secret.ts';

const empty: Secret = { arn: 'arn', name: 'name', createdAt: 0, changedAt: 0, versions: [] };
const one = putValue(empty, 'v1', { text: 'one' }, ['AWSCURRENT'], 1);
const two = putValue(one, 'v2', { text: 'two' }, ['AWSCURRENT'], 2);

describe('PutSecretValue', () => {
  it('makes the new version current and the old one previous', () => {
    expect(stagesByVersion(one)).toEqual({ v1: ['AWSCURRENT'] });
    expect(stagesByVersion(two)).toEqual({ v1: ['AWSPREVIOUS'], v2: ['AWSCURRENT'] });
    const three = putValue(two, 'v3', { text: 'three' }, ['AWSCURRENT'], 3);
    expect(stagesByVersion(three)).toEqual({ v2: ['AWSPREVIOUS'], v3: ['AWSCURRENT'] });
  });

  it('changes nothing when it is repeated, and never a value', () => {
    expect(putValue(two, 'v2', { text: 'two' }, ['AWSCURRENT'], 9)).toBe(two);
    expect(() => putValue(two, 'v2', { text: 'other' }, ['AWSCURRENT'], 9)).toThrow(
      /can't modify an existing/,
    );
  });
});

describe('GetSecretValue', () => {
  it('finds by label, by version id, and by both', () => {
    expect(findVersion(two, undefined, undefined).value).toEqual({ text: 'two' });
    expect(findVersion(two, undefined, 'AWSPREVIOUS').value).toEqual({ text: 'one' });
    expect(findVersion(two, 'v1', undefined).value).toEqual({ text: 'one' });
    expect(findVersion(two, 'v1', 'AWSPREVIOUS').value).toEqual({ text: 'one' });
    expect(() => findVersion(two, 'v1', 'AWSCURRENT')).toThrow(/VersionStage that is not associated/);
    expect(() => findVersion(empty, undefined, undefined)).toThrow(/staging label: AWSCURRENT/);
  });

  it('does not find the version of a rotation that has put no value yet', () => {
    const begun = addPendingVersion(one, 'v2', 2);
    expect(stagesByVersion(begun)).toEqual({ v1: ['AWSCURRENT'], v2: ['AWSPENDING'] });
    expect(() => findVersion(begun, 'v2', 'AWSPENDING')).toThrow(/can't find the specified secret value/);
  });
});

describe('UpdateSecretVersionStage', () => {
  const rotated = putValue(addPendingVersion(one, 'v2', 2), 'v2', { text: 'two' }, ['AWSPENDING'], 2);

  it('moves AWSCURRENT, and AWSPREVIOUS follows by itself', () => {
    const finished = updateStage(rotated, 'AWSCURRENT', 'v2', 'v1');
    expect(stagesByVersion(finished)).toEqual({ v1: ['AWSPREVIOUS'], v2: ['AWSPENDING', 'AWSCURRENT'] });
    expect(unfinishedRotation(finished)).toBeUndefined();
  });

  it('must be told where the label is', () => {
    expect(() => updateStage(rotated, 'AWSCURRENT', 'v2', undefined)).toThrow(
      /name it in RemoveFromVersionId/,
    );
    expect(() => updateStage(rotated, 'AWSCURRENT', 'v2', 'v2')).toThrow(/isn't attached/);
    expect(() => updateStage(rotated, 'AWSCURRENT', 'v9', 'v1')).toThrow(/VersionId: v9/);
  });

  it('takes a label off, but never AWSCURRENT', () => {
    expect(stagesByVersion(updateStage(rotated, 'AWSPENDING', undefined, 'v2'))).toEqual({
      v1: ['AWSCURRENT'],
    });
    expect(() => updateStage(rotated, 'AWSCURRENT', undefined, 'v1')).toThrow(
      /only move staging label AWSCURRENT/,
    );
  });
});
