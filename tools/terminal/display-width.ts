import stringWidth from 'string-width';

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The terminal columns of a text. What a person sees as one character is measured as one. */
export function displayWidth(text: string): number {
  return stringWidth(text);
}

/** Shortens a text to so many terminal columns. The last is an ellipsis when something was cut off. */
export function shortened(text: string, columns: number): string {
  if (displayWidth(text) <= columns) {
    return text;
  }
  let kept = '';
  let width = 0;
  for (const { segment } of segmenter.segment(text)) {
    width += displayWidth(segment);
    if (width > columns - 1) {
      break;
    }
    kept += segment;
  }
  return `${kept}…`;
}
