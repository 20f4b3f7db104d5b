/** Control characters and invisible characters, which could change the display of a terminal or a log. */
const unprintable = /[\p{Cc}\p{Cs}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Returns text from a server for messages: short, and without any long word, which could be a signature. */
export function shown(text: string): string {
  return text
    .replace(unprintable, '\u{fffd}')
    .replace(/\S{40,}/g, '…')
    .slice(0, 300);
}

/** Client secrets, which people sometimes type in place of another value. */
const secret = /(fss_)[\w-]{20,}/g;

/** Returns text from the caller in quotation marks, shortened if it is longer than any id. */
export function quoted(text: string): string {
  const safe = text.replace(secret, '$1(a client secret, not shown)').replace(unprintable, '\u{fffd}');
  return `"${safe.length <= 128 ? safe : `${safe.slice(0, 40)}…${safe.slice(-20)}`}"`;
}

/** Formats a number of bytes: `3 bytes`, `1.9 MiB`. */
export function formatBytes(bytes: number): string {
  const power = Math.min(3, Math.floor(Math.log2(Math.max(bytes, 1)) / 10));
  return power === 0
    ? `${bytes} bytes`
    : `${(bytes / 1024 ** power).toFixed(1)} ${['', 'KiB', 'MiB', 'GiB'][power]}`;
}
