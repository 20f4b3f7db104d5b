import { EventBridge } from '@aws-sdk/client-eventbridge';
import type { JSONWebKeySet } from 'jose';
import { routes } from '../../contract/routes.ts';
import { s3Client, secretsManagerClient } from '../operator/deployment/aws-clients.ts';
import type { Deployment } from '../operator/deployment/deployment.ts';
import { sumOf } from '../operator/deployment/metrics.ts';
import { readAlarms } from '../operator/doctor/alarms.ts';
import { diagnose } from '../operator/doctor/diagnose.ts';
import { messageOf } from '../operator/errors.ts';
import { lastHour, readActivity } from '../operator/requests/activity.ts';
import {
  listSigningKeys,
  requireUsableNextKey,
  revokeSigningKeys,
  rotateSigningKey,
} from '../operator/signing-keys/signing-key.ts';
import { cancelUpload } from '../operator/uploads/cancel.ts';
import { reconcileUploads } from '../operator/uploads/reconcile.ts';
import { getUpload } from '../operator/uploads/upload.ts';
import { EarlyOutcome } from './outcome.ts';

/** Error with which AWS denied a call. */
interface DeniedCall {
  readonly name: string;
  readonly message: string;
}

/** Staging labels of each version of the secret with the private keys, by version id. */
export type Labels = Readonly<Record<string, readonly string[]>>;

/** Opens the operator's access to a deployment, with the same clients and operations as the admin command. */
export async function openOperator(deployment: Deployment) {
  const [storage, secrets] = await Promise.all([s3Client(deployment), secretsManagerClient(deployment)]);
  const { BaseUrl, BucketName: Bucket, SigningKeySecretArn: SecretId, KeySetSecretArn } = deployment.outputs;
  return {
    content: async (Key: string) => {
      const { Body } = await storage.getObject({ Bucket, Key });
      return (await Body?.transformToString()) ?? '';
    },
    upload: (uploadId: string) => getUpload(deployment, uploadId),
    cancel: (uploadId: string) => cancelUpload(deployment, uploadId),
    /** Tries to read the private keys. The response is discarded unread. */
    tryToReadPrivateKeys: () => deniedCallOf(secrets.getSecretValue({ SecretId })),
    /**
     * Tries to send an event on the bus. Its source differs from the source of the service, in case a rule
     * matches the event.
     */
    tryToAnnounce: async (): Promise<DeniedCall | undefined> => {
      const events = new EventBridge(deployment.awsConfig);
      const { EventBusName } = deployment.outputs;
      const entry = { EventBusName, Source: 'verify', DetailType: 'Trial', Detail: '{}' };
      const sending = events.putEvents({ Entries: [entry] });
      const denied = await deniedCallOf(sending);
      const { ErrorCode: name, ErrorMessage: message = '' } =
        (await sending.catch(() => undefined))?.Entries?.[0] ?? {};
      return denied ?? (name === undefined ? undefined : { name, message });
    },
    labels: async (): Promise<Labels> =>
      (await secrets.describeSecret({ SecretId })).VersionIdsToStages ?? {},
    /**
     * Rotates the signing key, and waits until the rotation has ended. For some minutes after another
     * rotation, keys cannot rotate.
     */
    rotate: async () => {
      await requireUsableNextKey(deployment).catch((error: unknown) => {
        throw new EarlyOutcome(messageOf(error), 'inferred');
      });
      return rotateSigningKey(deployment);
    },
    /**
     * Returns the ids of the published keys, of the keys that the API serves, of the signing key and of the next
     * key. An id is empty if there is no such key.
     */
    publishedKeys: async () => {
      const keys = await listSigningKeys(deployment);
      const response = await fetch(BaseUrl + routes.keySet.path);
      const { keys: served } = (await response.json()) as JSONWebKeySet;
      const kidOf = (is: (key: (typeof keys)[number]) => boolean) => keys.find(is)?.kid ?? '';
      return {
        kids: keys.map(({ kid }) => kid),
        served: served.map(({ kid = '' }) => kid),
        signing: kidOf(({ signs }) => signs),
        next: kidOf(({ state }) => state === 'next'),
      };
    },
    /** Resolves with the time from which the service rejects tokens of the key. */
    revokeKey: async (kid: string) => {
      const [{ rejected_from }] = await revokeSigningKeys(deployment, { action: 'revoke', kid });
      return new Date(rejected_from);
    },
    keysChangedAt: async () => {
      const seen = await secrets.describeSecret({ SecretId: KeySetSecretArn });
      return seen.LastChangedDate ?? new Date(deployment.now());
    },
    diagnose: () => diagnose(deployment),
    reconcile: () => reconcileUploads(deployment),
    alarms: () => readAlarms(deployment),
    /** Returns the completed uploads in the hour until a time in milliseconds, as counted by CloudWatch. */
    completedUploads: async (until: number) =>
      sumOf((await readActivity(deployment, lastHour(until))).values.completed),
  };
}

async function deniedCallOf(call: Promise<unknown>): Promise<DeniedCall | undefined> {
  try {
    await call;
    return undefined;
  } catch (error) {
    if (error instanceof Error && '$metadata' in error) {
      return { name: error.name, message: error.message };
    }
    throw error;
  }
}
