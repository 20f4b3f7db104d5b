import type { Authorize } from '../iam/authorize.ts';
import type { Principal } from '../iam/principal.ts';
import type { Queue } from '../sqs/queues.ts';
import { queueName } from '../sqs/resource-types.ts';
import type { BusEvent } from './outbox.ts';
import { type EventTarget, type FunctionTarget, nameOfTarget } from './targets.ts';

/** An event on its way to a target. */
export interface Delivery {
  readonly event: BusEvent;
  readonly target: EventTarget;
}

/**
 * How a delivery failed:
 *
 * - `function-failed`: the function threw;
 * - `unreachable`: the function could not be invoked;
 * - `forbidden`: EventBridge may not invoke the function, which no retry would change.
 */
export interface Undelivered {
  readonly outcome: 'function-failed' | 'unreachable' | 'forbidden';
  /** For the log. */
  readonly error: string;
  /** Message of the error that the function threw. */
  readonly errorMessage?: string;
}

/** Keeps an event that could not be delivered; false when there is no queue that takes the event. */
export type KeepDeadLetter = (delivery: Delivery, failure: Undelivered, retries: number) => Promise<boolean>;

export interface DeadLetterParts {
  readonly queues: ReadonlyMap<string, Queue>;
  readonly authorize: Authorize;
  /** Whether SQS rejects messages now. AWS does not say that the sender tries again: the event is lost. */
  readonly isRejected: () => Promise<boolean>;
}

/**
 * Sends dead letters as AWS does. EventBridge sends an event that did not reach its function, if the policy of the
 * queue allows that. Lambda sends an event on which the function failed, with the permissions of the function's role.
 */
export function createKeepDeadLetter({ queues, authorize, isRejected }: DeadLetterParts): KeepDeadLetter {
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

/** EventBridge, as it acts for a rule. */
export function eventBridge({ ruleArn }: EventTarget): Principal {
  return { kind: 'service', service: 'events.amazonaws.com', sourceArn: ruleArn };
}

function functionSession({ invocation, functionName }: FunctionTarget): Principal {
  return { kind: 'session', roleArn: invocation.roleArn, sessionName: functionName };
}

/** EventBridge User Guide, "Using dead-letter queues to process undelivered events". */
function bridgeAttributes(
  target: EventTarget,
  { outcome, error }: Undelivered,
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
