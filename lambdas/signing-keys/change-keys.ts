import type { Revocation } from '../../storage/signing-keys.ts';
import { describeError, InternalError, withoutDetail } from '../shared/log.ts';
import type { AnswerCustomResource } from './custom-resource.ts';
import type { KeyDependencies } from './dependencies.ts';
import { ensureKeys } from './ensure-keys.ts';
import { type CustomResourceRequest, readKeyEvent } from './events.ts';
import { revokeKey } from './revoke.ts';
import { rotate } from './rotate.ts';

export interface ChangeKeysDependencies extends KeyDependencies {
  /** The secret that it rotates: another one of the account may name this function as well. */
  readonly signingKeySecretArn: string;
  readonly answerCustomResource: AnswerCustomResource;
}

/** The handler of everything that changes signing keys: deployment, rotation, revocation. */
export function createKeyHandler(dependencies: ChangeKeysDependencies) {
  return async (input: unknown): Promise<Revocation | undefined> => {
    const event = readKeyEvent(input);
    if ('RequestType' in event) {
      await deploy(event, dependencies);
      return undefined;
    }
    try {
      if ('action' in event) {
        return await revokeKey(event.kid, dependencies);
      }
      if (event.SecretId !== dependencies.signingKeySecretArn) {
        throw new InternalError('Not the secret of the signing keys');
      }
      await rotate(event.Step, event.ClientRequestToken, dependencies);
      return undefined;
    } catch (error) {
      dependencies.log('ERROR', 'keyOperationFailed', describeError(error));
      throw withoutDetail(error);
    }
  };
}

/** Deleting the stack deletes no key: both secrets are retained. */
async function deploy(request: CustomResourceRequest, dependencies: ChangeKeysDependencies): Promise<void> {
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
