const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** What takes two columns: East Asian wide characters (UAX #11), and emoji (UTS #51). */
const wide =
  /^(?![\uff61-\uffdc])[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6\p{Emoji_Presentation}\p{Regional_Indicator}]|^\p{Extended_Pictographic}\ufe0f/u;

/** What takes no column when it stands alone. */
const invisible = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;

/** Text of which each character is one code unit and one column. */
const plain = /^[\x20-\x7e]*$/;

/** The terminal columns of a text. What a person sees as one character is measured as one. */
export function displayWidth(text: string): number {
  if (plain.test(text)) {
    return text.length;
  }
  let width = 0;
  for (const { segment } of segmenter.segment(text)) {
    width += segmentWidth(segment);
  }
  return width;
}

function segmentWidth(segment: string): number {
  if (invisible.test(segment)) {
    return 0;
  }
  return wide.test(segment) ? 2 : 1;
}

/** Shortens a text to so many terminal columns. The last is an ellipsis when something was cut off. */
export function shortened(text: string, columns: number): string {
  if (displayWidth(text) <= columns) {
    return text;
  }
  let kept = '';
  let width = 0;
  for (const { segment } of segmenter.segment(text)) {
    width += segmentWidth(segment);
    if (width > columns - 1) {
      break;
    }
    kept += segment;
  }
  return `${kept}…`;
}
