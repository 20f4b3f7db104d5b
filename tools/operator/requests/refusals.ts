import { logMessages } from '../../../lambdas/shared/log/log.ts';
import { cloudWatchLogsClient } from '../deployment/aws-clients.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { listStackResources } from '../deployment/stack-resources.ts';
import type { ActivityRange } from './activity.ts';

/** How often one client was refused for one reason. */
export interface RefusalCount {
  /** The client id in the request; such a client may not exist. Absent: the request had no possible client id. */
  readonly client_id?: string | undefined;
  readonly organisation_id?: string | undefined;
  readonly reason: string;
  readonly count: number;
}

export interface Refusals {
  /** The greatest count first. */
  readonly counts: readonly RefusalCount[];
  /** Whether there may be more: time was up before all logs were read. */
  readonly isCutShort: boolean;
}

/** The log message of a refusal, by the beginning of the log group's logical ID. */
const refusalMessages = {
  TokenLogs: logMessages.tokenRefused,
  VolumesLogs: logMessages.requestRefused,
  SyncLogs: logMessages.requestRefused,
};

/**
 * Counts refusals by client, from the logs of the functions. CloudWatch charges nothing for these calls. But each
 * call reads a few megabytes of lines, the oldest first, and an account may make ten calls a second.
 *
 * @param isTimeUp asked after each call; counting stops when time is up
 */
export async function readRefusals(
  deployment: Deployment,
  { since, until }: Pick<ActivityRange, 'since' | 'until'>,
  isTimeUp: () => boolean,
): Promise<Refusals> {
  const client = await cloudWatchLogsClient(deployment);
  const { namesOf } = await listStackResources(deployment);
  const counts = new Map<string, RefusalCount>();
  let isCutShort = false;
  const readLog = async (logGroupName: string, text: string) => {
    const pages = client.paginateFilterLogEvents({
      logGroupName,
      filterPattern: `{ $.message = "${text}" }`,
      startTime: since.getTime(),
      endTime: until.getTime(),
    });
    for await (const { events = [], nextToken } of pages) {
      for (const { message = '{}' } of events) {
        const { refusal: reason, client_id, organisation_id }: RefusalLine = JSON.parse(message);
        const key = `${client_id} ${reason}`;
        const before = counts.get(key)?.count ?? 0;
        counts.set(key, { client_id, organisation_id, reason, count: before + 1 });
      }
      if (nextToken !== undefined && isTimeUp()) {
        isCutShort = true;
        return;
      }
    }
  };
  await Promise.all(
    Object.entries(refusalMessages).flatMap(([logicalId, text]) =>
      namesOf('AWS::Logs::LogGroup', logicalId).map((name) => readLog(name, text)),
    ),
  );
  return { counts: [...counts.values()].toSorted((a, b) => b.count - a.count), isCutShort };
}

/** The fields of a log line by which refusals are counted. */
type RefusalLine = Pick<RefusalCount, 'client_id' | 'organisation_id'> & { readonly refusal: string };
