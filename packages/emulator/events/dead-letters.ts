import type { Authorize } from '../iam/authorize.ts';
import type { Principal } from '../iam/principal.ts';
import type { Queue } from '../sqs/queues.ts';
import { queueName } from '../sqs/resource-types.ts';
import type { BusEvent } from './outbox.ts';
import type { EventTarget, FunctionTarget } from './targets.ts';

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
}

/** Stores an event that could not be delivered; returns false if no queue accepts the event. */
export type DeadLetterSender = (delivery: Delivery, failure: DeliveryFailure) => Promise<boolean>;

interface DeadLetterDependencies {
  readonly queues: ReadonlyMap<string, Queue>;
  readonly authorize: Authorize;
  /**
   * Returns true if SQS currently rejects messages. AWS documents no retry by the sender: the event is lost.
   */
  readonly isRejected: () => Promise<boolean>;
}

/**
 * Sends dead letters as AWS does, but without message attributes. EventBridge sends an event that did not
 * reach its function, if the policy of the queue allows it. Lambda sends an event that its function failed to
 * process, with the permissions of the function's role.
 */
export function createDeadLetterSender({
  queues,
  authorize,
  isRejected,
}: DeadLetterDependencies): DeadLetterSender {
  return async ({ event, target }, { outcome }) => {
    const failed = target.kind === 'function' && outcome === 'function-failed' ? target : undefined;
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
    await queue.send(JSON.stringify(event));
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
