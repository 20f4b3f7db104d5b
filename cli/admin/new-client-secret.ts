import { randomBytes } from 'node:crypto';
import { digestClientSecret, generateClientSecret } from '../../lambdas/shared/client-secret.ts';
import { newIdentifier } from '../identifiers.ts';
import type { StoredSecret } from './client-item.ts';
import type { Timestamp } from './items.ts';

export interface NewClientSecret {
  /** The secret itself, for its one showing. */
  readonly value: string;
  /** What is kept of it. */
  readonly stored: StoredSecret;
}

/** A new client secret without an end. */
export function newClientSecret(now: Timestamp): NewClientSecret {
  const value = generateClientSecret(randomBytes);
  return {
    value,
    stored: {
      secret_id: newIdentifier('secret', randomBytes),
      sha256: digestClientSecret(value).toString('hex'),
      created_at: now,
    },
  };
}
