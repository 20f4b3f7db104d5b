/** Returns the visible text of a page. */
export function textOf(html: string): string {
  return html
    .replaceAll(/<\/?(bdi|time|code)\b[^>]*>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Returns the given parts that neither the HTML of a page nor its visible text contains. */
export function missingIn(html: string, parts: readonly string[]): readonly string[] {
  const page = `${html}\n${textOf(html)}`;
  return parts.filter((part) => !page.includes(part));
}
