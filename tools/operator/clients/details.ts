import { logMessages } from '../../../contract/internal/log-messages.ts';
import { timestamp } from '../../../storage/attributes.ts';
import { timeLimit } from '../deployment/aws-clock.ts';
import { explainAwsError } from '../deployment/aws-errors.ts';
import type { Deployment } from '../deployment/deployment.ts';
import type { EntityDetails } from '../description/entity.ts';
import { messageOf } from '../errors.ts';
import { type LogLine, linesWith, openLogs, type Wanted, windowsOf } from '../requests/logs.ts';
import { counted } from '../text.ts';
import { type Client, type ClientSecret, getClient } from './client.ts';

/** Last uses of secrets in the log of `token`. Times are in milliseconds since the epoch. */
interface SecretUses {
  /** Line of the last issued token, by the id of the secret. */
  readonly last: ReadonlyMap<string, LogLine>;
  /** Time back to which the log was read completely. */
  readonly readFrom: number;
  /** Time back to which the log should be read. */
  readonly from: number;
}

const dayMilliseconds = 86_400_000;

/** Length of the first part of the log to read, in milliseconds. */
const firstLength = 600_000;

/** Time limit for a read of the log, in milliseconds: details and `doctor` must stay quick. */
const maxMilliseconds = 3000;

/**
 * Reads the last uses of secrets, the newest part of the log first.
 *
 * @param wanted members of the lines
 * @param days days to read
 * @param isDone returns true to stop before all days are read. Default: never
 */
export async function readSecretUses(
  deployment: Deployment,
  wanted: Wanted,
  days: number,
  isDone: (last: SecretUses['last']) => boolean = () => false,
): Promise<SecretUses> {
  const readLog = await openLogs(deployment);
  const isTimeUp = timeLimit(deployment.now, maxMilliseconds);
  const pattern = linesWith({ message: logMessages.tokenIssued, ...wanted });
  const to = deployment.now();
  const from = to - days * dayMilliseconds;
  const last = new Map<string, LogLine>();
  let readFrom = to;
  for (const window of windowsOf({ from, to }, firstLength)) {
    const newer = new Set(last.keys());
    // CloudWatch returns the oldest lines of a window first.
    for await (const { lines, isLast } of readLog(['token'], pattern, window)) {
      for (const line of lines.filter(({ members }) => !newer.has(members.secret_id ?? ''))) {
        last.set(line.members.secret_id ?? '', line);
      }
      if (!isLast && isTimeUp()) {
        return { last, readFrom, from };
      }
    }
    readFrom = window.from;
    if (isDone(last) || isTimeUp()) {
      break;
    }
  }
  return { last, readFrom, from };
}

/** Most days to search for the use of a secret. */
const maxDays = 30;

/** Returns the days to search. Older lines may be deleted, so a search of more days would prove nothing. */
function searchedDays({ outputs }: Deployment): number {
  return Math.min(maxDays, Number(outputs.LogRetentionDays));
}

/** Returns the last use of a secret. */
function lastUse(
  deployment: Deployment,
  secretId: string,
  { last, readFrom, from }: SecretUses,
): Required<Pick<ClientSecret, 'last_use'>> & Pick<ClientSecret, 'last_used_at'> {
  const use = last.get(secretId);
  if (use !== undefined) {
    const last_used_at = timestamp(new Date(use.at));
    return { last_used_at, last_use: `last used ${last_used_at}${use.at < readFrom ? ' or later' : ''}` };
  }
  const last_use =
    readFrom === from
      ? `not used in the last ${counted(searchedDays(deployment), 'day')}`
      : `not used since ${timestamp(new Date(readFrom))}, and the log was read no further`;
  return { last_use };
}

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
  if (ids.length === 0) {
    return { of: client, notes: [] };
  }
  try {
    const uses = await readSecretUses(deployment, { client_id: clientId }, searchedDays(deployment), (last) =>
      ids.every((id) => last.has(id)),
    );
    const secrets = client.secrets.map((secret) => ({
      ...secret,
      ...lastUse(deployment, secret.secret_id, uses),
    }));
    return { of: { ...client, secrets }, notes: [] };
  } catch (error) {
    return { of: client, notes: [`The last use of the secrets could not be read. ${reasonOf(error)}`] };
  }
}

/** Describes the last use of a secret, before its removal. An error of the log becomes a part of the text. */
export async function describeLastUse(
  deployment: Deployment,
  clientId: string,
  secretId: string,
): Promise<string> {
  try {
    const wanted = { client_id: clientId, secret_id: secretId };
    const uses = await readSecretUses(deployment, wanted, searchedDays(deployment), ({ size }) => size > 0);
    return lastUse(deployment, secretId, uses).last_use;
  } catch (error) {
    return `its last use could not be read (${reasonOf(error)})`;
  }
}

function reasonOf(error: unknown): string {
  return messageOf(explainAwsError(error));
}
