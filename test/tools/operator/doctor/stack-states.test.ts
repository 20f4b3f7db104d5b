import { StackStatus } from '@aws-sdk/client-cloudformation';
import { checkStack } from '../../../../tools/operator/doctor/stack.ts';

type Step = 'deploy' | 'rollback' | 'destroy' | 'delete-stack' | 'wait' | 'ask';

/**
 * The next steps that AWS and the CDK accept, by state, in the order of the advice. CloudFormation User Guide,
 * "Stack status codes": only a deletion in ROLLBACK_COMPLETE, ROLLBACK_FAILED and DELETE_FAILED (the CDK deletes
 * the first two before it deploys), a deletion or a continued rollback in UPDATE_ROLLBACK_FAILED. API reference,
 * RollbackStack: from CREATE_FAILED and UPDATE_FAILED. API reference, DeleteStack: RetainResources only in
 * DELETE_FAILED.
 */
const accepted: readonly (readonly ['ok' | 'warning' | 'failed', readonly Step[], readonly StackStatus[]])[] =
  [
    ['ok', [], ['CREATE_COMPLETE', 'UPDATE_COMPLETE', 'IMPORT_COMPLETE']],
    [
      'warning',
      ['wait'],
      Object.values(StackStatus).filter((state) => /(?<!REVIEW)_IN_PROGRESS$/.test(state)),
    ],
    ['warning', ['deploy'], ['UPDATE_ROLLBACK_COMPLETE', 'IMPORT_ROLLBACK_COMPLETE']],
    ['failed', ['rollback', 'deploy'], ['UPDATE_ROLLBACK_FAILED', 'UPDATE_FAILED', 'CREATE_FAILED']],
    ['failed', ['deploy'], ['ROLLBACK_COMPLETE', 'ROLLBACK_FAILED', 'REVIEW_IN_PROGRESS', 'DELETE_COMPLETE']],
    ['failed', ['destroy', 'delete-stack'], ['DELETE_FAILED']],
    ['failed', ['ask'], ['IMPORT_ROLLBACK_FAILED']],
  ];

const step = /Wait|Ask|(?<=`npx cdk )[a-z]+|(?<=`aws cloudformation )[a-z-]+/g;

const check = (StackStatus: StackStatus) =>
  checkStack({ StackName: 'prod', CreationTime: new Date(), StackStatus });

const cases = accepted.flatMap(([state, steps, states]) =>
  states.map((each) => [each, [state, ...steps]] as const),
);

test.for(cases)('%s is followed by a step that AWS accepts', ([status, expected]) => {
  const { state, advice = '' } = check(status);
  expect([state, ...(advice.match(step) ?? [])].map((word) => word.toLowerCase())).toEqual(expected);
});

test('each state of AWS has a step', () => {
  expect(cases.map(([state]) => state).toSorted()).toEqual(Object.values(StackStatus).toSorted());
});

test('a state that AWS adds is reported as unknown', () => {
  const { state, message } = check('LATER_COMPLETE' as StackStatus);
  expect([state, message]).toEqual([
    'failed',
    'LATER_COMPLETE. This state is unknown to this version of the command.',
  ]);
});
