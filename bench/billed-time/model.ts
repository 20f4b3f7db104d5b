import { type MeasuredRequest, megabytesOfOneCore, type RequestKind } from './inputs.ts';
import {
  accessLogBytes,
  coldShare,
  keycloak,
  keyRefreshSeconds,
  logEventOverhead,
  prices,
} from './prices.ts';

const million = 1_000_000;

/** The part of one core that a function with this memory has. More than one core does not help one request. */
export function coreShare(memory: number): number {
  return Math.min(1, memory / megabytesOfOneCore);
}

/** How long a warm request takes, in milliseconds: its CPU time at the share of its memory, and its waits in turn. */
export function duration(
  { cpuMicroseconds, waits }: Pick<MeasuredRequest, 'cpuMicroseconds' | 'waits'>,
  memory: number,
  waitMilliseconds: number,
): number {
  return cpuMicroseconds / 1000 / coreShare(memory) + waits * waitMilliseconds;
}

/** How long a request takes that starts an environment, in milliseconds. */
export function coldDuration(request: MeasuredRequest, memory: number, waitMilliseconds: number): number {
  // One wait more, for the key: it is fetched while the function starts.
  return request.coldCpuMilliseconds / coreShare(memory) + (request.waits + 1) * waitMilliseconds;
}

/** Lambda rounds up to the next millisecond, which is half of one on average. */
const roundingMilliseconds = 0.5;

/** Dollars for a million requests, by what is paid for. */
export type Cost = Readonly<Record<string, number>>;

/** What Lambda charges for a million requests. */
export function lambdaCost(request: MeasuredRequest, memory: number, waitMilliseconds: number) {
  const perMillisecond = (prices.lambdaGigabyteSecond.dollars / 1000) * (memory / 1024) * million;
  const warm = duration(request, memory, waitMilliseconds) + roundingMilliseconds;
  const cold = coldDuration(request, memory, waitMilliseconds) + roundingMilliseconds;
  return {
    requests: prices.lambdaRequest.dollars,
    warm: (1 - coldShare) * warm * perMillisecond,
    cold: coldShare * cold * perMillisecond,
  };
}

/** Units that DynamoDB writes for an operation of a kind: to the table, and to each index that has what changes. */
const writeUnits: Readonly<Record<RequestKind, number>> = {
  token: 0,
  volumes: 0,
  // The upload, and its three indexes.
  sync: 4,
  documents: 0,
  // The file and its index `by-organisation`, twice: its content, and its list of replaced uploads. The upload that is
  // complete, and the one that is replaced: neither changes what its indexes hold. The upload again when it is settled,
  // which removes it from its index `due`.
  content: 8,
  tombstone: 0,
};

interface CostOptions {
  readonly kind: RequestKind;
  readonly memory: number;
  readonly waitMilliseconds: number;
  readonly requestsPerMonth: number;
}

/** What a million events of one kind cost, without what is paid by the month. */
export function costOfKind(request: MeasuredRequest, options: CostOptions): Cost {
  const { kind, memory, waitMilliseconds, requestsPerMonth } = options;
  const { calls } = request;
  const isHttp = kind !== 'content' && kind !== 'tombstone';
  const lambda = lambdaCost(request, memory, waitMilliseconds);
  const gigabytes = (bytes: number) => (bytes * million) / 1e9;
  const logged = request.logBytes + request.logLines * logEventOverhead;
  const accessLog = isHttp ? accessLogBytes + logEventOverhead : 0;
  // Every environment reads its keys now and then. There are as many environments as requests at the same time.
  const keyReads = isHttp ? duration(request, memory, waitMilliseconds) / 1000 / keyRefreshSeconds : 0;
  return {
    'API Gateway': isHttp ? httpApiPrice(requestsPerMonth) : 0,
    'Lambda requests': lambda.requests,
    'Lambda time': lambda.warm,
    'cold starts': lambda.cold,
    DynamoDB:
      (calls.GetItem ?? 0) * prices.dynamoRead.dollars + writeUnits[kind] * prices.dynamoWrite.dollars,
    S3:
      ((calls.ListObjectVersions ?? 0) + (calls.PutObject ?? 0)) * prices.s3Put.dollars +
      ((calls.GetObjectTagging ?? 0) + (calls.HeadObject ?? 0)) * prices.s3Get.dollars,
    // The event of S3, and the one that the function sends.
    EventBridge: isHttp ? 0 : (1 + (calls.PutEvents ?? 0)) * prices.event.dollars,
    logs: gigabytes(logged + accessLog) * prices.logGigabyte.dollars,
    'data out': isHttp ? gigabytes(request.answerBytes) * prices.outGigabyte.dollars : 0,
    keys: keyReads * (prices.secretCall.dollars + prices.keyCall.dollars),
  };
}

/** Mean price of a million requests of an HTTP API at so many requests in a month. */
function httpApiPrice(requestsPerMonth: number): number {
  const tier = 300 * million;
  const first = Math.min(requestsPerMonth, tier);
  const more = requestsPerMonth - first;
  return (first * prices.httpApiFirst.dollars + more * prices.httpApiMore.dollars) / requestsPerMonth;
}

/** Adds costs of the same million. */
export function sum(costs: readonly Cost[]): Cost {
  const total: Record<string, number> = {};
  for (const cost of costs) {
    for (const [name, dollars] of Object.entries(cost)) {
      total[name] = (total[name] ?? 0) + dollars;
    }
  }
  return total;
}

export function total(cost: Cost): number {
  return Object.values(cost).reduce((all, dollars) => all + dollars, 0);
}

export const secondsPerMonth = 30 * 24 * 3600;

/** Dollars for a million tokens from two or more Keycloak servers and their database, at so many tokens per second. */
export function keycloakCost(tokensPerSecond: number): number {
  const { grantsPerCpu, reserve, gigabytes, servers } = keycloak;
  const cpus = Math.max(servers, Math.ceil((tokensPerSecond / grantsPerCpu) * reserve));
  const memory = Math.max(servers, Math.ceil(cpus / 4)) * gigabytes;
  const perHour =
    cpus * prices.fargateCpu.dollars + memory * prices.fargateGigabyte.dollars + prices.database.dollars;
  return perHour / ((tokensPerSecond * 3600) / million);
}
