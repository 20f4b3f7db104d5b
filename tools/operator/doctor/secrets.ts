import { maxBatchItems } from '../../../storage/batch-get.ts';
import { isEnding } from '../../../storage/client-secret.ts';
import { clientOf } from '../clients/client.ts';
import { describeUse, readSecretUses } from '../clients/details.ts';
import { secretText } from '../clients/fields.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { readItems } from '../deployment/items.ts';
import { counted } from '../text.ts';
import { type CheckResult, ok, warning } from './finding.ts';

/** Days in which a secret was used: as many as the alarm SecretsEnding covers. */
const days = 2;

/** Names the secrets in use that end within 30 days. `token` logs the end of a secret only then. */
export async function checkSecrets(deployment: Deployment): Promise<CheckResult> {
  const uses = await readSecretUses(deployment, { secret_ends_at: '*' }, days);
  const ids = new Set([...uses.last.values()].map(({ members }) => members.client_id ?? ''));
  const items = await readItems(deployment, 'client', [...ids].slice(0, maxBatchItems));
  const texts = items.map(clientOf).flatMap((client) =>
    client.secrets
      .filter(({ secret_id, ends_at }) => isEnding(ends_at, deployment.now()) && uses.last.has(secret_id))
      .map((secret) => ({ ...secret, ...describeUse(uses, secret.secret_id) }))
      .map((secret) => `${client.client_id}: ${secretText(secret)}`),
  );
  return texts.length === 0
    ? ok(`secrets that end within 30 days: ${describeUse(uses, '').last_use}`)
    : warning(
        `${counted(texts.length, 'secret')} in use, with an end within 30 days. ${texts.slice(0, 10).join('; ')}.`,
        'Rotate each secret, or finish its rotation: docs/operations.md#rotating-a-secret.',
      );
}
