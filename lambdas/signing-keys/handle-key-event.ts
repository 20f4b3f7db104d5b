import type { Revocation } from '../../storage/revocation.ts';
import type { CustomResourceRequest, RespondToCustomResource } from '../shared/custom-resource.ts';
import { describeError, InternalError, withoutDetail } from '../shared/log/log.ts';
import { ensureKeys } from './ensure-keys.ts';
import { ensureSchedule, mayBeScheduledLater, type ScheduleDependencies } from './ensure-schedule.ts';
import { type OperatorRequest, readKeyEvent } from './key-events.ts';
import type { KeyDependencies } from './key-store.ts';
import { createRetry, isDenied, type RetryDependencies } from './retry.ts';
import { revokeKeys } from './revoke.ts';
import { NotPublishedError, rotate } from './rotate.ts';
import type { RotationSchedule } from './rotation-schedule.ts';
import { KeysChangedError } from './secret-versions.ts';

interface KeyHandlerDependencies extends KeyDependencies, ScheduleDependencies, RetryDependencies {
  /**
   * The only secret that this function rotates. Another secret of the account could also name the function.
   */
  readonly signingKeySecretArn: string;
  readonly rotationDays: number;
  readonly respondToCustomResource: RespondToCustomResource;
}

/** Lambda's context of the invocation ("Using the Lambda context object"). */
interface InvocationContext {
  /** ARN of this function. Its own environment cannot contain it: that would be a cycle in the template. */
  readonly invokedFunctionArn: string;
}

/** Creates the handler of every event that changes signing keys: deployment, rotation and revocation. */
export function createKeyHandler(dependencies: KeyHandlerDependencies) {
  return async (
    input: unknown,
    { invokedFunctionArn }: InvocationContext,
  ): Promise<readonly Revocation[] | undefined> => {
    const schedule = { functionArn: invokedFunctionArn, days: dependencies.rotationDays };
    const event = readKeyEvent(input);
    if ('RequestType' in event) {
      await handleDeployment(event, schedule, dependencies);
      return undefined;
    }
    try {
      if ('action' in event) {
        return await handleOperator(event, schedule, dependencies);
      }
      if (event.SecretId !== dependencies.signingKeySecretArn) {
        throw new InternalError('The rotation is of another secret than that of the signing keys');
      }
      const { Step, ClientRequestToken } = event;
      const retry = createRetry(dependencies);
      await retry(() => rotate(Step, ClientRequestToken, dependencies), mayRotateLater);
      return undefined;
    } catch (error) {
      dependencies.log('ERROR', 'keyOperationFailed', describeError(error));
      throw withoutDetail(error);
    }
  };
}

async function handleOperator(
  event: OperatorRequest,
  schedule: RotationSchedule,
  dependencies: KeyHandlerDependencies,
): Promise<readonly Revocation[] | undefined> {
  dependencies.log('INFO', 'operatorAsked', event);
  if (event.action === 'schedule') {
    await ensureSchedule(schedule, dependencies);
    return undefined;
  }
  const retry = createRetry(dependencies);
  const which = event.action === 'revoke' ? event.kid : 'all';
  return await revokeKeys(which, dependencies, (attempt) => retry(attempt, isConflict));
}

/**
 * Handles a deployment. Deleting the custom resource changes neither the keys nor the schedule. The removal
 * policy of the two secrets determines whether they are deleted. A live stack also deletes the resource when its
 * logical ID changes. The rotation must then continue.
 */
async function handleDeployment(
  request: CustomResourceRequest,
  schedule: RotationSchedule,
  dependencies: KeyHandlerDependencies,
): Promise<void> {
  const { respondToCustomResource, log } = dependencies;
  const retry = createRetry(dependencies);
  let failure: string | undefined;
  try {
    if (request.RequestType !== 'Delete') {
      await retry(() => ensureKeys(dependencies), mayCreateLater);
      await retry(() => ensureSchedule(schedule, dependencies), mayBeScheduledLater);
    }
  } catch (error) {
    const described = describeError(error);
    log('ERROR', 'keyOperationFailed', described);
    failure = `${described.error_name}: ${described.error_message ?? 'see the log of the function'}`;
  }
  await respondToCustomResource(request, failure);
}

function isConflict(error: unknown): boolean {
  return error instanceof KeysChangedError;
}

function mayRotateLater(error: unknown): boolean {
  return isConflict(error) || error instanceof NotPublishedError;
}

function mayCreateLater(error: unknown): boolean {
  return isConflict(error) || isDenied(error);
}
