import { useRequestContext } from 'hono/jsx-renderer';
import type { Tone } from '../../operator/description/field.ts';
import { printable, shortId } from '../../operator/text.ts';
import type { Env } from '../http/environment.ts';

/**
 * Untrusted text. Invisible characters are replaced, and its direction does not affect the surrounding text.
 */
export function Text({ of }: { readonly of: string }) {
  return <bdi>{printable(of)}</bdi>;
}

/** An id. The copy button copies the whole id, also if only its ends are shown. */
export function Id({
  of,
  short,
  copy,
}: {
  readonly of: string;
  readonly short?: boolean;
  readonly copy?: boolean;
}) {
  return (
    <span>
      <code title={short ? printable(of) : undefined}>{short ? shortId(of) : printable(of)}</code>
      {copy && (
        <button type="button" class="quiet copy" data-copy={of} aria-label={`Copy ${printable(of)}`} />
      )}
    </span>
  );
}

/**
 * A time, in the zone that the reader chose. Its title contains the exact time, in UTC as well. `exact` shows
 * the time in full. For a time within the last day, the script adds its age, or shows the age instead of the
 * time.
 */
export function Time({ of, exact }: { readonly of: string; readonly exact?: boolean }) {
  const { clock } = useRequestContext<Env>().var;
  const at = Date.parse(of);
  const utc = `${of.slice(0, 10)} ${of.slice(11, 19)} UTC`;
  const full = clock.zone === 'UTC' ? utc : `${clock.exact(at)} ${clock.zone}`;
  return (
    <time
      datetime={of}
      title={clock.zone === 'UTC' ? utc : `${full}, ${utc}`}
      data-ago={exact ? `${full}, ` : ''}
    >
      {exact ? full : clock.exact(at).slice(0, -3)}
    </time>
  );
}

const time = /(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z)/;

/** A sentence of an operation. Times in the sentence are shown like all other times. */
export function Sentence({ of }: { readonly of: string }) {
  return (
    <span>
      {of.split(time).map((part) => (time.test(part) ? <Time of={part} exact /> : <Text of={part} />))}
    </span>
  );
}

/** A state in one word. The colour repeats the meaning of the word. */
export function Tag({ tone, children }: { readonly tone: Tone; readonly children: string }) {
  return <span class={`tag ${tone}`}>{children}</span>;
}
