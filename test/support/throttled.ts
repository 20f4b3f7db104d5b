import { setTimeout as delay } from 'node:timers/promises';

/**
 * Asks again, later and later, while the answer is 429 (docs/api.md 11.6, 12.4): a deployment may take fewer requests per
 * second than the tests send.
 */
export async function untilNotThrottled<Answer extends { readonly status: number }>(
  ask: () => Promise<Answer>,
): Promise<Answer> {
  let answer = await ask();
  for (let seconds = 1; answer.status === 429 && seconds <= 16; seconds *= 2) {
    await delay(seconds * 1000);
    answer = await ask();
  }
  return answer;
}

/** `fetch` that waits as above: for libraries that take one. */
export const patientFetch: typeof fetch = (...request) => untilNotThrottled(() => fetch(...request));
