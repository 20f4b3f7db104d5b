import { StackStatus } from '@aws-sdk/client-cloudformation';
import { expect, test } from 'vitest';
import { checkStack } from '../../../../tools/operator/doctor/stack.ts';

type Step = 'deploy' | 'deploy --no-rollback' | 'rollback' | 'destroy' | 'delete-stack' | 'wait' | 'ask';

/**
 * The next steps that AWS and the CDK accept, by state, in the order of the advice. CloudFormation User Guide,
 * "Stack status codes": only a deletion in ROLLBACK_COMPLETE, ROLLBACK_FAILED and DELETE_FAILED (the CDK deletes
 * the first two before it deploys), a deletion or a continued rollback in UPDATE_ROLLBACK_FAILED. API reference,
 * RollbackStack: from CREATE_FAILED and UPDATE_FAILED. API reference, DeleteStack: RetainResources only in
 * DELETE_FAILED.
 */
const accepted: Readonly<Record<StackStatus, readonly ['ok' | 'warning' | 'failed', ...Step[]]>> = {
  CREATE_COMPLETE: ['ok'],
  UPDATE_COMPLETE: ['ok'],
  IMPORT_COMPLETE: ['ok'],
  CREATE_IN_PROGRESS: ['warning', 'wait'],
  UPDATE_IN_PROGRESS: ['warning', 'wait'],
  UPDATE_COMPLETE_CLEANUP_IN_PROGRESS: ['warning', 'wait'],
  UPDATE_ROLLBACK_IN_PROGRESS: ['warning', 'wait'],
  UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS: ['warning', 'wait'],
  ROLLBACK_IN_PROGRESS: ['warning', 'wait'],
  IMPORT_IN_PROGRESS: ['warning', 'wait'],
  IMPORT_ROLLBACK_IN_PROGRESS: ['warning', 'wait'],
  UPDATE_ROLLBACK_COMPLETE: ['warning', 'deploy'],
  IMPORT_ROLLBACK_COMPLETE: ['warning', 'deploy'],
  UPDATE_ROLLBACK_FAILED: ['failed', 'rollback'],
  UPDATE_FAILED: ['failed', 'rollback', 'deploy --no-rollback'],
  CREATE_FAILED: ['failed', 'rollback', 'deploy'],
  ROLLBACK_COMPLETE: ['failed', 'deploy'],
  ROLLBACK_FAILED: ['failed', 'deploy'],
  DELETE_FAILED: ['failed', 'destroy', 'delete-stack'],
  DELETE_IN_PROGRESS: ['failed', 'wait'],
  DELETE_COMPLETE: ['failed', 'wait'],
  REVIEW_IN_PROGRESS: ['failed', 'deploy'],
  IMPORT_ROLLBACK_FAILED: ['failed', 'ask'],
};

const step = /Wait|Ask|(?<=`npx cdk )[a-z]+(?: --no-rollback)?|(?<=`aws cloudformation )[a-z-]+/g;

const check = (StackStatus: StackStatus) =>
  checkStack({ StackName: 'prod', CreationTime: new Date(), StackStatus });

test.for(Object.values(StackStatus))('%s is followed by a step that AWS accepts', (status) => {
  const { state, advice = '' } = check(status);
  expect([state, ...(advice.match(step) ?? [])].map((word) => word.toLowerCase())).toEqual(accepted[status]);
});

test('a state that AWS adds is reported as unknown', () => {
  const { state, message } = check('LATER_COMPLETE' as StackStatus);
  expect([state, message]).toEqual([
    'failed',
    'prod is LATER_COMPLETE. This state is unknown to this version of the command.',
  ]);
});
