import type { Stack } from '@aws-sdk/client-cloudformation';
import { failed, type Outcome, ok, warning } from './finding.ts';

/** The states of https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_Stack.html */
export function checkStack({ StackName = '', StackStatus, StackStatusReason }: Stack): Outcome {
  const state = StackStatus ?? 'in an unknown state';
  const status = StackStatusReason === undefined ? state : `${state}: ${StackStatusReason}`;
  if (/^(CREATE|UPDATE|IMPORT)_COMPLETE$/.test(state)) {
    return ok(`${StackName} is ${status}`);
  }
  if (/^(UPDATE|IMPORT)_ROLLBACK_COMPLETE$/.test(state)) {
    return warning(
      `${StackName} is ${status}. The last deployment failed, and the version before it runs.`,
      `Find the cause (aws cloudformation describe-stack-events --stack-name ${StackName}) and deploy again.`,
    );
  }
  if (/_IN_PROGRESS$/.test(state)) {
    return warning(`${StackName} is ${status}.`, 'Wait until the deployment has ended, and check again.');
  }
  return failed(
    `${StackName} is ${status}.`,
    `Find the cause (aws cloudformation describe-stack-events --stack-name ${StackName}) and deploy again.`,
  );
}
