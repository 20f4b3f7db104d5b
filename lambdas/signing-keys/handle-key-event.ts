import type { Revocation } from '../../storage/signing-keys.ts';
import { describeError, InternalError, withoutDetail } from '../shared/log.ts';
import type { AnswerCustomResource } from './answer-custom-resource.ts';
import { ensureKeys } from './ensure-keys.ts';
import { type CustomResourceRequest, readKeyEvent } from './key-events.ts';
import type { KeyDependencies } from './key-store.ts';
import { revokeKey } from './revoke.ts';
import { NotPublishedError, rotate } from './rotate.ts';
import { KeysChangedError } from './secret-versions.ts';

export interface KeyHandlerDependencies extends KeyDependencies {
  /** The only secret that this function rotates. Another secret of the account could name the function as well. */
  readonly signingKeySecretArn: string;
  readonly answerCustomResource: AnswerCustomResource;
  /** Waits this many milliseconds. */
  readonly sleep: (milliseconds: number) => Promise<unknown>;
}

/**
 * Waits between attempts of a deployment, together about a minute. The function's role and the policies of key and
 * secrets are as new as the stack, and IAM and KMS may not know them yet ("Changes that I make are not always immediately
 * visible", IAM User Guide).
 */
const deploymentPauses = [1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000];

/**
 * Waits between attempts when the keys changed in between. Secrets Manager is eventually consistent: a reader can see for
 * a moment which version was current before the last change, and its write is then refused.
 */
const conflictPauses = [1_000, 2_000, 4_000];

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
        const { kid } = event;
        return await repeat(() => revokeKey(kid, dependencies), keysChanged, conflictPauses, dependencies);
      }
      if (event.SecretId !== dependencies.signingKeySecretArn) {
        throw new InternalError('The rotation is of another secret than that of the signing keys');
      }
      const { Step, ClientRequestToken } = event;
      const step = () => rotate(Step, ClientRequestToken, dependencies);
      await repeat(step, isLate, conflictPauses, dependencies);
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
      await repeat(() => ensureKeys(dependencies), isEarly, deploymentPauses, dependencies);
    }
  } catch (error) {
    const described = describeError(error);
    log('ERROR', 'keyOperationFailed', described);
    failure = `${described.error_name}: ${described.error_message ?? 'see the log of the function'}`;
  }
  await answerCustomResource(request, failure);
}

/** Acts again after a failure that passes by itself. Each operation on the keys can be repeated. */
async function repeat<Result>(
  act: () => Promise<Result>,
  mayPass: (error: unknown) => boolean,
  pauses: readonly number[],
  { sleep }: Pick<KeyHandlerDependencies, 'sleep'>,
): Promise<Result> {
  for (const pause of pauses) {
    try {
      return await act();
    } catch (error) {
      if (!mayPass(error)) {
        throw error;
      }
    }
    await sleep(pause);
  }
  return act();
}

function keysChanged(error: unknown): boolean {
  return error instanceof KeysChangedError;
}

function isLate(error: unknown): boolean {
  return keysChanged(error) || error instanceof NotPublishedError;
}

function isEarly(error: unknown): boolean {
  return keysChanged(error) || (error instanceof Error && error.name === 'AccessDeniedException');
}
