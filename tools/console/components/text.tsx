import { formatBytes, formatSize } from '../../operator/text.ts';

/**
 * Characters that a browser does not show, or that change the direction of what is beside them: controls, format
 * characters and unpaired surrogates. U+200C and U+200D are parts of words and emoji, so they stay.
 */
const odd = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/gu;

/** `U+202E` */
function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Text of anybody for an attribute or a title: each odd character by its code. */
export function plainText(text: string): string {
  return text.replace(odd, (character) => `[${codePoint(character)}]`);
}

/** Text of anybody. Odd characters are shown by their code, and its direction cannot reach the text around it. */
export function Text({ of }: { readonly of: string }) {
  const parts: (string | ReturnType<typeof OddCharacter>)[] = [];
  let end = 0;
  for (const match of of.matchAll(odd)) {
    parts.push(of.slice(end, match.index), <OddCharacter code={codePoint(match[0])} />);
    end = match.index + match[0].length;
  }
  parts.push(of.slice(end));
  return <bdi>{parts}</bdi>;
}

function OddCharacter({ code }: { readonly code: string }) {
  return <span class="odd">{code}</span>;
}

/** An id. `copy` adds a button. */
export function Id({ of, copy }: { readonly of: string; readonly copy?: boolean }) {
  return (
    <span class="id">
      <code>{plainText(of)}</code>
      {copy && <CopyButton text={of} what={plainText(of)} isSmall />}
    </span>
  );
}

/** Copies a text. It is there only where scripts run. */
export function CopyButton({
  text,
  what,
  isSmall,
}: {
  readonly text: string;
  readonly what: string;
  readonly isSmall?: boolean;
}) {
  return (
    <button
      type="button"
      class={isSmall ? 'quiet' : undefined}
      data-copy={text}
      aria-label={`Copy ${what}`}
      hidden
    >
      Copy
    </button>
  );
}

/** A time. The script shows it in the reader's zone; UTC is in its title. */
export function Time({ of }: { readonly of: string | undefined }) {
  if (of === undefined) {
    return <span class="none">–</span>;
  }
  const utc = `${of.slice(0, 10)} ${of.slice(11, 19)} UTC`;
  return (
    <time datetime={of} title={utc}>
      {utc}
    </time>
  );
}

/** A number of bytes, with the exact number where that rounds. `short` is for lists: there it is in the title. */
export function Bytes({ of, short }: { readonly of: number | undefined; readonly short?: boolean }) {
  if (of === undefined) {
    return <span class="none">–</span>;
  }
  return short ? <span title={formatSize(of)}>{formatBytes(of)}</span> : <span>{formatSize(of)}</span>;
}

const time = /(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z)/;

/** A sentence of an operation. Its times are shown as all others. */
export function Sentence({ of }: { readonly of: string }) {
  return (
    <span>{of.split(time).map((part) => (time.test(part) ? <Time of={part} /> : <Text of={part} />))}</span>
  );
}

export type Tone = 'good' | 'warning' | 'bad' | 'plain';

/** A state in one word. Its colour says nothing that the word does not. */
export function Badge({ tone = 'plain', children }: { readonly tone?: Tone; readonly children: string }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}
