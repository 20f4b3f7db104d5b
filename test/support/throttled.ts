import { setTimeout as delay } from 'node:timers/promises';

/**
 * Retries with increasing delays while the response is 429 (docs/api.md 11.6, 12.4): a deployment may allow
 * fewer requests per second than the tests send.
 */
export async function untilNotThrottled<HttpResponse extends { readonly status: number }>(
  ask: () => Promise<HttpResponse>,
): Promise<HttpResponse> {
  let response = await ask();
  for (let seconds = 1; response.status === 429 && seconds <= 16; seconds *= 2) {
    await delay(seconds * 1000);
    response = await ask();
  }
  return response;
}

/** Calls `fetch` and waits as above: for libraries that accept a `fetch` function. */
export const patientFetch: typeof fetch = (...request) => untilNotThrottled(() => fetch(...request));
