import { timestamp } from '../../../storage/attributes.ts';
import { maxBatchItems } from '../../../storage/batch-get.ts';
import { endingDays } from '../../../storage/client-secret.ts';
import { clientOf, endingSecrets } from '../clients/client.ts';
import { readSecretUses } from '../clients/details.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { readItems } from '../deployment/items.ts';
import { counted } from '../text.ts';
import { type CheckResult, ok, warning } from './finding.ts';

/** Days in which a secret was used: as many as the alarm SecretsEnding covers. */
const usedDays = 2;

/** Names the secrets in use that end soon. `token` logs the end of a secret only then. */
export async function checkSecrets(deployment: Deployment): Promise<CheckResult> {
  const { last, readFrom } = await readSecretUses(deployment, { secret_ends_at: '*' }, usedDays);
  const since = timestamp(new Date(readFrom));
  const ids = new Set([...last.values()].map(({ members }) => members.client_id ?? ''));
  const items = await readItems(deployment, 'client', [...ids].slice(0, maxBatchItems));
  const now = deployment.now();
  const texts = items.map(clientOf).flatMap((client) =>
    endingSecrets(client, now).flatMap(({ secret_id, ends_at }) => {
      const use = last.get(secret_id);
      return use === undefined
        ? []
        : [`${secret_id} of ${client.client_id} ends ${ends_at}, last used ${timestamp(new Date(use.at))}`];
    }),
  );
  if (texts.length === 0) {
    return ok(`no secret that was used since ${since} ends within ${endingDays} days`);
  }
  return warning(
    `${counted(texts.length, 'secret')} that clients use, with an end within ${endingDays} days: ${texts.slice(0, 10).join('; ')}.`,
    'Rotate each secret, or finish its rotation: docs/operations.md#rotating-a-secret.',
  );
}
