import * as v from 'valibot';

/** The result of a revocation. Times are ISO 8601. */
export const revocationSchema = v.object({
  kid: v.string(),
  /** Id of the new current key. */
  signing_kid: v.string(),
  revoked_at: v.string(),
  /**
   * Time from which this service rejects tokens of the key. Until then, its functions may use a cached key
   * set.
   */
  rejected_from: v.string(),
  /**
   * Time from which clients that verify tokens themselves reject tokens of the key, if they obey
   * Cache-Control.
   */
  rejected_by_clients_from: v.string(),
  /** Expiry of the last token of the key. */
  tokens_until: v.string(),
});

export type Revocation = v.InferOutput<typeof revocationSchema>;
