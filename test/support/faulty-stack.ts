import type { AlarmChange } from 'cloud-assembly-emulator';
import { createClock } from 'cloud-assembly-emulator';
import { type Faults, setFaults } from 'cloud-assembly-emulator/faults';
import { createApiUser } from './api-user.ts';
import { fetchToken } from './fetch-token.ts';
import { type RunningStack, startRunningStack } from './running-stack.ts';

/** The whole stack with its alarms. A test can use the stack, and can make AWS services fail. */
export type FaultyStack = Awaited<ReturnType<typeof startFaultyStack>>;

/** Starts the stack with a recipient of notifications. Clients can request five upload URLs per second. */
export async function startFaultyStack() {
  const clock = createClock();
  const eventChaos = { maxDelayMilliseconds: 0, doubled: 0, dropped: 0 };
  const changes: AlarmChange[] = [];
  let isDelayed = false;
  const stack = await startRunningStack({
    ignoresIfNoneMatch: true,
    throttled: true,
    context: { alarmEmail: 'operator@example.com', syncRateLimit: '5' },
    clock,
    eventChaos,
    onAlarm: (change) => changes.push(change),
    onCall: ({ operation }) => {
      if (isDelayed && operation === 'Query') {
        isDelayed = false;
        clock.advance(280_000);
      }
    },
  });
  const evaluate = () => stack.evaluateAlarms(new Date(clock.now()));
  return {
    stack,
    clock,
    /** All changes of alarms so far, the oldest first. */
    changes,
    setFaults: (faults: Faults) => setFaults(stack.stateDirectory, faults),
    ...(await createUser(stack)),
    /** Loses all later events before they reach a function, or stops losing them. */
    loseEvents: (lost: boolean) => {
      eventChaos.dropped = lost ? 1 : 0;
    },
    /**
     * Delays the query for due uploads in the next run of the reconciliation, so that no time is left for any
     * upload.
     */
    delayReconciliation: () => {
      isDelayed = true;
    },
    /** Advances the clock minute by minute, and evaluates the alarms each time. */
    pass: async (minutes: number) => {
      for (let minute = 0; minute < minutes; minute += 1) {
        clock.advance(60_000);
        await evaluate();
      }
    },
    evaluate,
    close: stack.close,
  };
}

/** Creates a client with the usual requests, each for a new file. */
async function createUser(stack: RunningStack) {
  const { client, newFile, requestToken, sync, issue } = await createApiUser(stack);
  const { client_id: clientId, client_secret: clientSecret } = client;
  const token = () => fetchToken(stack.baseUrl, { clientId, clientSecret });
  return {
    client,
    token,
    /** Requests a token, and returns the status. */
    requestToken: async (changes?: Readonly<Record<string, string>>) => (await requestToken(changes)).status,
    /** Requests an upload URL with this token. */
    sync: async (known: string) => sync(await newFile(), known),
    issueUrl: async () => (await issue(undefined, await token())).url,
    /** Uploads a file, and waits until its event is recorded or given up. */
    upload: async (url: string, body = 'content') => {
      const { ok, status } = await fetch(url, { method: 'PUT', body });
      if (!ok) {
        throw new Error(`the upload was rejected: ${status}`);
      }
      await stack.eventsSettled();
    },
  };
}
