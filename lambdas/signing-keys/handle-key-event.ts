import type { Revocation } from '../../storage/signing-keys.ts';
import { describeError, InternalError, withoutDetail } from '../shared/log.ts';
import type { AnswerCustomResource } from './answer-custom-resource.ts';
import { ensureKeys } from './ensure-keys.ts';
import { type CustomResourceRequest, readKeyEvent } from './key-events.ts';
import type { KeyDependencies } from './key-store.ts';
import { revokeKey } from './revoke.ts';
import { rotate } from './rotate.ts';

export interface KeyHandlerDependencies extends KeyDependencies {
  /** The only secret that this function rotates. Another secret of the account could name the function as well. */
  readonly signingKeySecretArn: string;
  readonly answerCustomResource: AnswerCustomResource;
}

/** The handler of every event that changes signing keys: deployment, rotation and revocation. */
export function createKeyHandler(dependencies: KeyHandlerDependencies) {
  return async (input: unknown): Promise<Revocation | undefined> => {
    const event = readKeyEvent(input);
    if ('RequestType' in event) {
      await handleDeployment(event, dependencies);
      return undefined;
    }
    try {
      if ('action' in event) {
        return await revokeKey(event.kid, dependencies);
      }
      if (event.SecretId !== dependencies.signingKeySecretArn) {
        throw new InternalError('The rotation is of another secret than that of the signing keys');
      }
      await rotate(event.Step, event.ClientRequestToken, dependencies);
      return undefined;
    } catch (error) {
      dependencies.log('ERROR', 'keyOperationFailed', describeError(error));
      throw withoutDetail(error);
    }
  };
}

/** Deleting the custom resource changes no key. What happens to the two secrets is set by their removal policy. */
async function handleDeployment(
  request: CustomResourceRequest,
  dependencies: KeyHandlerDependencies,
): Promise<void> {
  const { answerCustomResource, log } = dependencies;
  let failure: string | undefined;
  try {
    if (request.RequestType !== 'Delete') {
      await ensureKeys(dependencies);
    }
  } catch (error) {
    const described = describeError(error);
    log('ERROR', 'keyOperationFailed', described);
    failure = `${described.error_name}: ${described.error_message ?? 'see the log of the function'}`;
  }
  await answerCustomResource(request, failure);
}
