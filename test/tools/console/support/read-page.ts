/** What a person reads of a page. */
export function textOf(html: string): string {
  return html
    .replaceAll(/<\/?(bdi|time|code)\b[^>]*>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Which of these parts a page lacks: parts of its HTML, or of what a person reads. */
export function missingIn(html: string, parts: readonly string[]): readonly string[] {
  const page = `${html}\n${textOf(html)}`;
  return parts.filter((part) => !page.includes(part));
}
