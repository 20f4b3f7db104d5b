import { counted, formatSeconds } from '../../../cli/text.ts';

const daySeconds = 86_400;

/** How long ago something was, or how far ahead it is. Times in milliseconds since the epoch. */
export function Age({ since, now }: { readonly since: number; readonly now: number }) {
  const seconds = Math.round(Math.abs(now - since) / 1000);
  const length =
    seconds < 2 * daySeconds ? formatSeconds(seconds) : counted(Math.floor(seconds / daySeconds), 'day');
  return <span class="hint">({now < since ? `in ${length}` : `${length} ago`})</span>;
}
