/** What a person reads of a part of a page. */
export function textOf(html: string): string {
  return html
    .replaceAll(/<\/?(bdi|time|code)\b[^>]*>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** The details on a page, by their names. */
export function detailsIn(html: string): Readonly<Record<string, string>> {
  const found = html.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/gs);
  return Object.fromEntries([...found].map(([, name = '', value = '']) => [name, textOf(value)]));
}

/** The rows of the tables on a page, each with its cells. The first one has the headings. */
export function rowsIn(html: string): readonly (readonly string[])[] {
  const rows = html.split('<tr>').slice(1);
  return rows.map((row) =>
    row
      .split(/<t[hd]\b/)
      .slice(1)
      .map((cell) => textOf(`<${cell.split('</tr>')[0]}`)),
  );
}

/** What a page offers to do: `button risky /files/1/delete` leads to a form, and `post` does it immediately. */
export function offersIn(html: string): readonly string[] {
  const found = html.matchAll(
    /<a class="(button[^"]*)" href="([^"]+)"|<form method="(post)" action="([^"]+)" class="row"/g,
  );
  return [...found].map((parts) => parts.slice(1).filter(Boolean).join(' ').replaceAll('&amp;', '&'));
}
