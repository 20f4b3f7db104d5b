import { everyRoute, type Route, routeKey } from '../../../contract/routes.ts';
import { type AlarmFault, endFaults, requireStatus } from './alarm-fault.ts';
import { type ApiPart, apiParts, type FaultyStack } from './faulty-stack.ts';

const page = 'ApiInTrouble';

/** More than an alarm takes for clients that come too fast, and those that the limit lets pass. */
const flood = 120;

const serverErrors: AlarmFault = {
  alarm: 'ServerErrors',
  fault: 'DynamoDB answers every call with 500, and a client asks for a token',
  follows: [],
  page,
  stack: 'usual',
  cause: async ({ setFaults, requestToken }) => {
    setFaults({ dynamodb: 'failing' });
    requireStatus('a request for a token', await requestToken(), 500);
  },
  mend: endFaults,
};

const slowAnswers: AlarmFault = {
  alarm: 'SlowAnswers',
  fault: 'DynamoDB takes 5 s for two reads and two writes, and a client asks for an upload URL',
  follows: [],
  page,
  stack: 'usual',
  cause: async ({ setFaults, token, sync }) => {
    const known = await token();
    setFaults({
      dynamodb: [
        { fault: 'slow', operation: 'GetItem', calls: 2 },
        { fault: 'slow', operation: 'PutItem', calls: 2 },
      ],
    });
    requireStatus('a request for an upload URL', (await sync(known)).status, 200);
  },
  mend: endFaults,
};

function throttles(part: ApiPart): AlarmFault {
  return {
    alarm: 'Throttles',
    fault: `The concurrency of ${part} is set to 0, and a request comes to it`,
    follows: ['ServerErrors'],
    page,
    stack: 'usual',
    cause: async ({ reserve, token, request }) => {
      const known = await token();
      await reserve(part, 0);
      requireStatus('a request', await request(part, known), 503);
    },
    mend: ({ reserve }) => reserve(part, undefined),
  };
}

const signerThrottled: AlarmFault = {
  alarm: 'UploadSignerRefused',
  fault: 'STS throttles every call, and a client asks for an upload URL',
  follows: ['ServerErrors'],
  page,
  stack: 'usual',
  cause: async ({ setFaults, sync }) => {
    setFaults({ sts: 'throttling' });
    requireStatus('a request for an upload URL', (await sync()).status, 500);
  },
  mend: endFaults,
};

const signerAway: AlarmFault = {
  alarm: 'UploadSignerRefused',
  fault: 'The role that signs upload URLs is deleted, and a client asks for one',
  follows: ['ServerErrors'],
  page,
  stack: 'usual',
  cause: async ({ takeAway, sync }) => {
    takeAway(({ type, logicalId }) => type === 'AWS::IAM::Role' && logicalId.startsWith('SyncSigner'));
    requireStatus('a request for an upload URL', (await sync()).status, 500);
  },
  mend: async ({ takeAway }) => takeAway(),
};

function requestsThrottled([name, route]: readonly [string, Route]): AlarmFault {
  return {
    alarm: `RequestsThrottled${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    fault: `${flood} requests come to ${routeKey(route)} at the same time, which may be called once a second`,
    follows: [],
    page,
    stack: 'scarce',
    cause: ({ stack }) => sendFlood(stack, route.method, route.path.replace('{fileId}', 'some-file')),
    mend: async () => undefined,
  };
}

async function sendFlood({ baseUrl }: FaultyStack['stack'], method: string, path: string): Promise<void> {
  const send = async () => {
    const answer = await fetch(`${baseUrl}${path}`, { method });
    await answer.arrayBuffer();
    return answer.status;
  };
  const statuses = await Promise.all(Array.from({ length: flood }, send));
  const throttled = statuses.filter((status) => status === 429);
  if (throttled.length <= 100) {
    throw new Error(`only ${throttled.length} requests were throttled`);
  }
}

/** Settings with which a stack throttles every route after one request a second. */
export const scarce = {
  throttlingRateLimit: '10',
  throttlingBurstLimit: '10',
  tokenRateLimit: '1',
  syncRateLimit: '1',
  otherRateLimit: '1',
};

export const apiFaults: readonly AlarmFault[] = [
  serverErrors,
  slowAnswers,
  ...apiParts.map(throttles),
  ...Object.entries(everyRoute()).map(requestsThrottled),
  signerThrottled,
  signerAway,
];
