/** Replaces control characters and invisible characters, which could change the display of a terminal or a log. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}\p{Cf}\p{Zl}\p{Zp}]/gu, '\u{fffd}');
}

/** Returns untrusted text for messages: short, and without any long word, which could be a secret. */
export function shown(text: string): string {
  return printable(text)
    .replace(/\S{40,}/g, '…')
    .slice(0, 300);
}
