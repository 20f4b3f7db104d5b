import { type Check, EarlyOutcome, judge } from './outcome.ts';
import { upload } from './uploads.ts';

/**
 * Runs `doctor`: it checks the stack and its protection from deletion, keys, alarms and their notifications,
 * and dead letters.
 */
export const doctor: Check = {
  id: 'doctor',
  label: 'run doctor',
  check: async ({ operator }) => {
    const findings = (await operator.diagnose()).filter(({ state }) => state !== 'ok');
    const texts = findings.map(({ check, state, message }) => `${check}: ${state}: ${message}`);
    return judge(
      findings.every(({ state }) => state !== 'failed'),
      texts.length === 0 ? 'All is well.' : texts.join(' '),
    );
  },
};

/** Runs the reconciliation function, which checks due uploads and records those with lost events. */
export const reconciliation: Check = {
  id: 'reconciliation',
  label: 'reconcile the due uploads',
  check: async ({ operator }) => {
    const { recorded, expired, failed } = await operator.reconcile();
    return judge(
      failed === 0,
      `It recorded ${recorded} uploads, found ${expired} unused, and failed at ${failed}.`,
    );
  },
};

const rounds = 24;

/** Requests at the same time in a round. The last rounds exceed a burst, also where a slow machine refills the limit. */
const requestsIn = (round: number) => Math.round(10 * 1.2 ** round);

/** Checks the rate limit of the API description, the only route that no client needs for its work. */
export const throttle: Check = {
  id: 'throttle',
  label: 'request the API description until a request is rejected with 429',
  check: async ({ descriptionStatus, isLocal }) => {
    for (let round = 1; round <= rounds; round++) {
      // Few at first: a hundred rejections in five minutes raise an alarm, and several runs may come in that time.
      const length = requestsIn(round);
      const statuses = await Promise.all(Array.from({ length }, descriptionStatus));
      const rejected = statuses.filter((status) => status === 429).length;
      if (rejected > 0) {
        return judge(true, `Of ${length} requests in round ${round}, ${rejected} got 429.`);
      }
    }
    const seen = `None of the requests of ${rounds} rounds got 429.`;
    if (isLocal) {
      throw new EarlyOutcome(`${seen} So the local run was started with --no-throttle.`, 'inferred');
    }
    return judge(false, seen);
  },
};

const metricMilliseconds = 300_000;
const pollMilliseconds = 10_000;

/** Checks that an upload appears in the metrics, which CloudWatch extracts from the logs of the functions. */
export const metrics: Check = {
  id: 'metrics',
  label: 'upload, and wait until CloudWatch counts it',
  check: async (service) => {
    const { operator, now, sleep } = service;
    if ((await operator.alarms()).length === 0) {
      throw new EarlyOutcome('The stack has monitoring=none: no metrics and no alarms.', 'inferred');
    }
    const startedAt = now();
    // All reads use the same hour. In a moving hour, older uploads of other clients would drop out of the
    // count.
    const until = startedAt + metricMilliseconds;
    const before = await operator.completedUploads(until);
    await upload(service, 0);
    for (;;) {
      const count = await operator.completedUploads(until);
      const seconds = Math.round((now() - startedAt) / 1000);
      if (count > before || seconds * 1000 > metricMilliseconds) {
        return judge(count > before, `UploadsCompleted went from ${before} to ${count} in ${seconds} s.`);
      }
      await sleep(pollMilliseconds);
    }
  },
};
