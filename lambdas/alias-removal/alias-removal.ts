import * as v from 'valibot';
import { type AnswerCustomResource, customResourceSchema } from '../shared/custom-resource.ts';
import { InternalError, type Log } from '../shared/log.ts';

export interface AliasRemovalDependencies {
  /** Waits this many milliseconds. */
  readonly sleep: (milliseconds: number) => Promise<unknown>;
  readonly answerCustomResource: AnswerCustomResource;
  readonly log: Log;
}

/**
 * How long API Gateway gets to send requests to the functions again, after their integrations have changed. It deploys a
 * change of a stage with automatic deployment by itself, within seconds; no page of Amazon gives a bound.
 */
const leavingMilliseconds = 60_000;

/**
 * Answers a deletion only when no request is sent to the aliases any more. CloudFormation removes them after that. Nothing
 * else has to be done: the other requests are answered immediately.
 */
export function createAliasRemoval({ sleep, answerCustomResource, log }: AliasRemovalDependencies) {
  return async (event: unknown): Promise<void> => {
    const request = v.safeParse(customResourceSchema, event);
    if (!request.success) {
      throw new InternalError('Not a custom resource request of CloudFormation');
    }
    if (request.output.RequestType === 'Delete') {
      await sleep(leavingMilliseconds);
      log('INFO', 'aliasesLeft');
    }
    await answerCustomResource(request.output);
  };
}
