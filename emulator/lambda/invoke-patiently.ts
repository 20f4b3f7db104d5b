import { setTimeout as delay } from 'node:timers/promises';
import type { InvokeFunction } from './invoke.ts';

/** How long a service of AWS goes on asking a function whose concurrency is used up, in milliseconds. */
const patienceMilliseconds = 30_000;

/** Longest wait between two attempts, in milliseconds; each wait is a random part of it. */
const longestWaitMilliseconds = 250;

/**
 * Invokes as services of AWS do, which come again when Lambda answers that the function's concurrency is used up
 * (Lambda, "Understanding retry behavior in Lambda").
 */
export function invokePatiently(invoke: InvokeFunction): InvokeFunction {
  return async (functionName, payload) => {
    const deadline = performance.now() + patienceMilliseconds;
    for (;;) {
      const result = await invoke(functionName, payload);
      const throttled = !result.ok && result.error.errorType === 'TooManyRequestsException';
      if (!throttled || performance.now() > deadline) return result;
      await delay(Math.random() * longestWaitMilliseconds);
    }
  };
}
