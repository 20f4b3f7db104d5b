import type { Authorize } from '../iam/authorize.ts';
import type { Principal } from '../iam/principal.ts';
import type { Queue } from '../sqs/queues.ts';
import { queueName } from '../sqs/resource-types.ts';
import type { BusEvent } from './outbox.ts';
import { type EventTarget, type FunctionTarget, nameOfTarget } from './targets.ts';

/** An event in delivery to a target. */
export interface Delivery {
  readonly event: BusEvent;
  readonly target: EventTarget;
}

/**
 * Reason for a failed delivery:
 *
 * - `function-failed`: the function threw;
 * - `unreachable`: the function could not be invoked;
 * - `forbidden`: EventBridge may not invoke the function, and a retry would not help.
 */
export interface DeliveryFailure {
  readonly outcome: 'function-failed' | 'unreachable' | 'forbidden';
  /** Error for the log. */
  readonly error: string;
  /** Message of the error that the function threw. */
  readonly errorMessage?: string;
}

/** Stores an event that could not be delivered; returns false if no queue accepts the event. */
export type DeadLetterSender = (
  delivery: Delivery,
  failure: DeliveryFailure,
  retries: number,
) => Promise<boolean>;

interface DeadLetterDependencies {
  readonly queues: ReadonlyMap<string, Queue>;
  readonly authorize: Authorize;
  /**
   * Returns true if SQS currently rejects messages. AWS documents no retry by the sender: the event is lost.
   */
  readonly isRejected: () => Promise<boolean>;
}

/**
 * Sends dead letters as AWS does. EventBridge sends an event that did not reach its function, if the policy
 * of the queue allows it. Lambda sends an event that its function failed to process, with the permissions of
 * the function's role.
 */
export function createDeadLetterSender({
  queues,
  authorize,
  isRejected,
}: DeadLetterDependencies): DeadLetterSender {
  return async ({ event, target }, failure, retries) => {
    const failed = target.kind === 'function' && failure.outcome === 'function-failed' ? target : undefined;
    const { deadLetterQueueArn: arn = '' } = failed?.invocation ?? target.delivery;
    const queue = queues.get(queueName(arn));
    if (queue === undefined) {
      return false;
    }
    const principal = failed === undefined ? eventBridge(target) : functionSession(failed);
    const { allowed } = authorize({ principal, action: 'sqs:SendMessage', resource: arn });
    if (!allowed || (await isRejected())) {
      return false;
    }
    const attributes =
      failed === undefined
        ? bridgeAttributes(target, failure, retries)
        : {
            RequestID: event.id,
            ErrorCode: '200',
            ErrorMessage: (failure.errorMessage ?? failure.error).slice(0, 1024),
          };
    await queue.send(JSON.stringify(event), attributes);
    return true;
  };
}

/** Returns EventBridge as the principal of a rule. */
export function eventBridge({ ruleArn }: EventTarget): Principal {
  return { kind: 'service', service: 'events.amazonaws.com', sourceArn: ruleArn };
}

function functionSession({ invocation, functionName }: FunctionTarget): Principal {
  return { kind: 'session', roleArn: invocation.roleArn, sessionName: functionName };
}

/** EventBridge User Guide, "Using dead-letter queues to process undelivered events". */
function bridgeAttributes(
  target: EventTarget,
  { outcome, error }: DeliveryFailure,
  retries: number,
): Record<string, string> {
  const forbidden = outcome === 'forbidden';
  return {
    RULE_ARN: target.ruleArn,
    TARGET_ARN: nameOfTarget(target),
    ERROR_CODE: forbidden ? 'NO_PERMISSIONS' : 'INTERNAL_ERROR',
    ERROR_MESSAGE: error.slice(0, 1024),
    ...(forbidden ? {} : { EXHAUSTED_RETRY_CONDITION: 'MaximumRetryAttempts' }),
    RETRY_ATTEMPTS: String(retries),
  };
}
