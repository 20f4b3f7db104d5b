/**
 * Replaces unsafe characters in untrusted text (a stored name, an argument, a response) for display on a
 * terminal. Control characters and direction marks could move the cursor, or recolour or reorder the text.
 * Invisible characters could hide the difference between two names.
 */
export function printable(text: string): string {
  return text.replace(unprintable, '\u{fffd}');
}

/**
 * Control characters, unpaired surrogates, line separators and invisible characters. Joiners and variation selectors are
 * parts of words and emoji, so this pattern leaves them out.
 */
const unprintable =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]|(?!\u200c|\u200d|[\ufe00-\ufe0f])[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Returns true if {@link printable} would not change the text. */
export function isPrintable(text: string): boolean {
  return printable(text) === text;
}

/** People sometimes type the secret in place of the client id. The prefix stays visible as a hint. */
const clientSecret = /(fss_)[A-Za-z0-9_-]{43}[0-9A-Za-z]{6}/g;

/** A signed URL works for anybody who reads it. */
const signature = /(X-Amz-(?:Signature|Security-Token|Credential)=)[^&\s"]+/gi;

/** Replaces client secrets and the signatures of URLs, for display. */
export function hideSecrets(text: string): string {
  return text.replace(clientSecret, '$1(a client secret, not shown)').replace(signature, '$1(not shown)');
}

/** Returns text in quotation marks, safe for a terminal, and shortened if it is longer than any id. */
export function quoted(text: string): string {
  return `"${printable(shortened(hideSecrets(text)))}"`;
}

/** Length of the longest id. Most paths are shorter. */
const maxShownLength = 128;

/** Returns the text, or its start and its end if it is longer than 128 characters. */
export function shortened(text: string): string {
  const characters = [...text];
  return characters.length <= maxShownLength
    ? text
    : `${characters.slice(0, 40).join('')}…${characters.slice(-20).join('')}`;
}

/**
 * Returns the first and last characters of an id: `01a2…c595`. Ids share their first characters, so the last
 * ones matter. A short id is unchanged.
 */
export function shortId(id: string): string {
  const own = id.replace(/^(client|file|secret)_/, '');
  return own.length <= 14 ? printable(id) : `${own.slice(0, 4)}…${own.slice(-4)}`;
}

/** Quotes text for a POSIX shell, if necessary. */
export function shellWord(text: string): string {
  return /^[\w./:=@%+~,-]+$/.test(text) && !text.startsWith('~')
    ? text
    : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Returns a text with a capital first letter. */
export function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** Formats a number for people: `12,345`. */
export function formatCount(count: number): string {
  return count.toLocaleString('en-GB');
}

/** Formats a count with its noun: `1 file`, `2,000 files`. */
export function counted(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

const units = ['KiB', 'MiB', 'GiB', 'TiB'] as const;

/** Formats a number of bytes: `0 bytes`, `1 byte`, `1.0 KiB`, `5.0 GiB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) {
    return counted(Math.round(bytes), 'byte');
  }
  let value = bytes / 1024;
  let unit = 0;
  while (value >= 1023.95 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${value.toFixed(1)} ${units[unit]}`;
}

/** Formats a duration in seconds: `0.4 s`, `42 s`, `3 min 05 s`, `2 h 10 min`. */
export function formatSeconds(seconds: number): string {
  if (seconds < 9.95) {
    return `${seconds.toFixed(1)} s`;
  }
  const whole = Math.round(seconds);
  if (whole < 60) {
    return `${whole} s`;
  }
  if (whole < 3600) {
    return `${Math.floor(whole / 60)} min ${twoDigits(whole % 60)} s`;
  }
  const minutes = Math.round(whole / 60);
  return `${Math.floor(minutes / 60)} h ${twoDigits(minutes % 60)} min`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

/**
 * Formats a number of bytes like {@link formatBytes}, and adds the exact number after a rounded one: `1.5 KiB
 * (1,536 bytes)`.
 */
export function formatSize(bytes: number): string {
  return bytes < 1024 ? formatBytes(bytes) : `${formatBytes(bytes)} (${formatCount(bytes)} bytes)`;
}
