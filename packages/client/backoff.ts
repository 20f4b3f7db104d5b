/**
 * Returns a random wait between half and all of a span that doubles with each attempt: 1, 2, 4, 8 ... at most
 * 20 s.
 *
 * @param random number from 0 to below 1. It spreads the retries of clients that failed at the same moment
 */
export function backoffMilliseconds(attempt: number, random: number): number {
  const span = Math.min(1000 * 2 ** (attempt - 1), 20_000);
  return Math.round((span * (1 + random)) / 2);
}
