import type { StackStatus } from '@aws-sdk/client-cloudformation';
import type { CheckResult } from './finding.ts';

/** States of a stack that mean the same, and allow the same next step. */
interface StackStates {
  readonly states: readonly StackStatus[];
  readonly check: CheckResult['state'];
  /** One sentence without its full stop. */
  readonly means: string;
  /** Sentences. The commands in it are those that CloudFormation accepts in these states. */
  readonly action: string;
}

/**
 * Every state of a stack. Sources: CloudFormation User Guide, "Stack status codes" and "Continue rolling back
 * an update"; API reference, RollbackStack and DeleteStack. The CDK deletes a stack in ROLLBACK_COMPLETE or
 * ROLLBACK_FAILED before it deploys.
 */
const stackStates: readonly StackStates[] = [
  {
    states: ['CREATE_COMPLETE', 'UPDATE_COMPLETE', 'IMPORT_COMPLETE'],
    check: 'ok',
    means: 'The deployed version runs',
    action: 'None.',
  },
  {
    states: [
      'CREATE_IN_PROGRESS',
      'UPDATE_IN_PROGRESS',
      'UPDATE_COMPLETE_CLEANUP_IN_PROGRESS',
      'IMPORT_IN_PROGRESS',
      'ROLLBACK_IN_PROGRESS',
      'UPDATE_ROLLBACK_IN_PROGRESS',
      'UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS',
      'IMPORT_ROLLBACK_IN_PROGRESS',
    ],
    check: 'warning',
    means: 'CloudFormation is changing the stack',
    action: 'Wait, and check again.',
  },
  {
    states: ['UPDATE_ROLLBACK_COMPLETE', 'IMPORT_ROLLBACK_COMPLETE'],
    check: 'warning',
    means: 'The last deployment failed, and the previous version runs',
    action: 'Find the cause in the events of the stack, fix it, and run `npx cdk deploy`.',
  },
  {
    states: ['UPDATE_ROLLBACK_FAILED'],
    check: 'failed',
    means: 'The rollback failed, usually because of a missing permission or a manual change',
    action: 'Fix the cause, run `npx cdk rollback` (`--orphan LOGICAL_ID` skips a resource), and deploy.',
  },
  {
    states: ['UPDATE_FAILED'],
    check: 'failed',
    means: 'An update with `--no-rollback` failed',
    action: 'Run `npx cdk rollback`, or fix the cause and run `npx cdk deploy --no-rollback`.',
  },
  {
    states: ['CREATE_FAILED'],
    check: 'failed',
    means: 'The first deployment failed, with `--no-rollback`',
    action: 'Run `npx cdk rollback`, fix the cause, and run `npx cdk deploy`.',
  },
  {
    states: ['ROLLBACK_COMPLETE', 'ROLLBACK_FAILED'],
    check: 'failed',
    means: 'The first deployment failed, and the stack can only be deleted',
    action: 'Fix the cause, and run `npx cdk deploy`, which deletes the stack first.',
  },
  {
    states: ['DELETE_FAILED'],
    check: 'failed',
    means: 'A resource could not be deleted, and the stack can only be deleted',
    action:
      'Fix the cause, and run `npx cdk destroy` again, or `aws cloudformation delete-stack --stack-name STACK --retain-resources LOGICAL_ID`.',
  },
  {
    states: ['DELETE_IN_PROGRESS', 'DELETE_COMPLETE'],
    check: 'failed',
    means: 'The stack is deleted, which cannot be stopped',
    action: 'Wait, then deploy again with the retained data.',
  },
  {
    states: ['REVIEW_IN_PROGRESS'],
    check: 'failed',
    means: 'Nothing is deployed yet',
    action: 'Run `npx cdk deploy`.',
  },
  {
    states: ['IMPORT_ROLLBACK_FAILED'],
    check: 'failed',
    means: 'An import failed, and could not be undone',
    action: 'Ask AWS Support: AWS documents no next step.',
  },
];

/** @returns undefined for a state that AWS added later */
export function meaningOf(state: string): StackStates | undefined {
  return stackStates.find(({ states }) => states.some((known) => known === state));
}

/** Returns the table of docs/deployment.md. */
export function stackStatesTable(): string {
  const rows = stackStates.map(
    ({ states, means, action }) => `| ${states.join(', ')} | ${means} | ${action.replace(/\.$/, '')} |`,
  );
  return `| State of the stack | Meaning | Action |\n|---|---|---|\n${rows.join('\n')}`;
}
