import { logMessages } from '../../../contract/internal/log-messages.ts';
import { timestamp } from '../../../storage/attributes.ts';
import { timeLimit } from '../deployment/aws-clock.ts';
import { awsMessageOf } from '../deployment/aws-errors.ts';
import type { Deployment } from '../deployment/deployment.ts';
import type { EntityDetails } from '../description/entity.ts';
import { type LogLine, linesWith, openLogs, type Wanted, windowsOf } from '../requests/logs.ts';
import { counted } from '../text.ts';
import { type Client, getClient } from './client.ts';

const dayMilliseconds = 86_400_000;

/** Length of the first part of the log to read, in milliseconds. */
const firstLength = 3_600_000;

/** Time limit for a read of the log, in milliseconds: details and `doctor` must stay quick. */
const maxMilliseconds = 3000;

/**
 * Reads the last uses of secrets in the log of `token`, the newest part first.
 *
 * @param wanted members of the lines
 * @param days days to read
 * @param ids secrets after which the read stops. Default: all days are read
 * @returns the line of the last token of each secret, by its id, and the time back to which the log was read completely:
 *   undefined after all days
 */
export async function readSecretUses(
  deployment: Deployment,
  wanted: Wanted,
  days: number,
  ids?: readonly string[],
) {
  const readLog = await openLogs(deployment);
  const isTimeUp = timeLimit(deployment.now, maxMilliseconds);
  const pattern = linesWith({ message: logMessages.tokenIssued, ...wanted });
  const last = new Map<string, LogLine>();
  const to = deployment.now();
  let readFrom = to;
  for (const window of windowsOf({ from: to - days * dayMilliseconds, to }, firstLength)) {
    const newer = new Set(last.keys());
    for await (const { lines } of readLog(['token'], pattern, window)) {
      // The oldest lines of a window come first.
      for (const line of lines.filter(({ members }) => !newer.has(members.secret_id ?? ''))) {
        last.set(line.members.secret_id ?? '', line);
      }
      if (isTimeUp()) {
        return { last, readFrom, days };
      }
    }
    readFrom = window.from;
    if (ids?.every((id) => last.has(id))) {
      return { last, readFrom, days };
    }
  }
  return { last, readFrom: undefined, days };
}

type SecretUses = Awaited<ReturnType<typeof readSecretUses>>;

/** Most days to search for the use of a secret. */
const maxDays = 30;

/**
 * Reads a client with the last use of each secret. An error of the log becomes a note.
 *
 * @throws {OperationError} when there is no client with this id
 */
export async function describeClient(
  deployment: Deployment,
  clientId: string,
): Promise<EntityDetails<Client>> {
  const client = await getClient(deployment, clientId);
  const ids = client.secrets.map(({ secret_id }) => secret_id);
  // Older lines may be deleted, so a search of more days would prove nothing.
  const days = Math.min(maxDays, Number(deployment.outputs.LogRetentionDays));
  try {
    const uses = await readSecretUses(deployment, { client_id: clientId }, days, ids);
    const secrets = client.secrets.map((secret) => ({ ...secret, ...describeUse(uses, secret.secret_id) }));
    return { of: { ...client, secrets }, notes: [] };
  } catch (error) {
    const reason = awsMessageOf(error);
    return { of: client, notes: [`The last use of the secrets could not be read. ${reason}`] };
  }
}

/** Describes the last use of a secret. */
export function describeUse({ last, readFrom, days }: SecretUses, secretId: string) {
  const use = last.get(secretId);
  if (use !== undefined) {
    const last_used_at = timestamp(use.at);
    const isCertain = use.at >= (readFrom ?? 0);
    return { last_used_at, last_use: `last used ${last_used_at}${isCertain ? '' : ' or later'}` };
  }
  return {
    last_use:
      readFrom === undefined
        ? `not used in the last ${counted(days, 'day')}`
        : `not used since ${timestamp(readFrom)}, and the log was read no further`,
  };
}
