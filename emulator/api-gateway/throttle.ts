/**
 * A token bucket, as API Gateway throttles a stage ("Throttle requests to your HTTP APIs").
 *
 * @param rate requests per second that are added, up to the burst
 * @param now milliseconds
 * @returns whether one more request may pass now
 */
export function createThrottle(limits: { rate: number; burst: number }, now: () => number): () => boolean {
  let tokens = limits.burst;
  let filledAt = now();
  return () => {
    const time = now();
    tokens = Math.min(limits.burst, tokens + ((time - filledAt) / 1000) * limits.rate);
    filledAt = time;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}
