import type { Principal } from '../authentication/credentials.ts';
import type { Authorize } from '../iam/authorize.ts';
import type { Queue } from '../sqs/queues.ts';
import type { BusEvent } from './object-created.ts';
import type { EventTarget } from './targets.ts';

/** How the last attempt ended: only those of EventBridge itself are not Lambda's to keep. */
type UndeliveredOutcome = 'function-failed' | 'throttled' | 'unreachable' | 'forbidden';

export interface DeadLetters {
  /** Keeps an event that could not be delivered; false when there is no queue, or it may not be sent to. */
  readonly keep: (
    event: BusEvent,
    target: EventTarget,
    failure: { readonly outcome: UndeliveredOutcome; readonly error: string },
    retries: number,
  ) => Promise<boolean>;
}

/**
 * Sends dead letters as AWS does: EventBridge for an event that did not reach its function, under the queue's
 * policy; Lambda for one that the function failed on, with the permissions of the function's role.
 */
export function createDeadLetters(queues: ReadonlyMap<string, Queue>, authorize: Authorize): DeadLetters {
  return {
    keep: async (event, target, failure, retries) => {
      const unreachable = failure.outcome === 'unreachable' || failure.outcome === 'forbidden';
      const arn = (unreachable ? target.delivery : target.invocation).deadLetterQueueArn;
      const queue = queues.get(arn?.slice(arn.lastIndexOf(':') + 1) ?? '');
      if (arn === undefined || queue === undefined) return false;
      const principal = unreachable ? eventBridge(target) : functionItself(target);
      if (!authorize({ principal, action: 'sqs:SendMessage', resource: arn }).allowed) return false;
      const attributes = unreachable
        ? bridgeAttributes(target, failure, retries)
        : { RequestID: event.id, ErrorCode: '200', ErrorMessage: failure.error.slice(0, 1024) };
      await queue.send(JSON.stringify(event), attributes);
      return true;
    },
  };
}

function eventBridge({ ruleArn }: EventTarget): Principal {
  return { kind: 'service', service: 'events.amazonaws.com', sourceArn: ruleArn };
}

function functionItself({ invocation, functionName }: EventTarget): Principal {
  return { kind: 'session', roleArn: invocation.roleArn, sessionName: functionName };
}

/** EventBridge User Guide, "Using dead-letter queues to process undelivered events". */
function bridgeAttributes(
  target: EventTarget,
  { outcome, error }: { readonly outcome: UndeliveredOutcome; readonly error: string },
  retries: number,
): Record<string, string> {
  const forbidden = outcome === 'forbidden';
  return {
    RULE_ARN: target.ruleArn,
    TARGET_ARN: target.functionName,
    ERROR_CODE: forbidden ? 'NO_PERMISSIONS' : 'INTERNAL_ERROR',
    ERROR_MESSAGE: error.slice(0, 1024),
    ...(forbidden ? {} : { EXHAUSTED_RETRY_CONDITION: 'MaximumRetryAttempts' }),
    RETRY_ATTEMPTS: String(retries),
  };
}
