import { expect, test } from 'vitest';
import { type Finding, joinStages } from '../../../scripts/upgrade/finding.ts';

const finding = (more: Partial<Finding>): Finding => ({
  kind: 'resource removed',
  subject: 'It',
  what: 'It goes.',
  why: 'It is retained.',
  next: 'Keep it.',
  ...more,
});

test('findings of two stages are one, with both reasons where they differ', () => {
  const other = finding({ subject: 'Other' });
  expect(joinStages({ prod: [finding({}), other], dev: [finding({ why: 'It is deleted.' })] })).toEqual([
    { ...finding({ why: 'It is retained. In dev: It is deleted.' }), stages: ['prod', 'dev'] },
    { ...other, stages: ['prod'] },
  ]);
  expect(joinStages({ prod: [finding({})], dev: [finding({}), other] })).toEqual([
    { ...finding({}), stages: ['prod', 'dev'] },
    { ...other, stages: ['dev'] },
  ]);
});
