/** Value in a template: HTML, or a text that is escaped, or several of them. */
export type Content = string | number | { readonly html: string } | readonly Content[];

/** Creates HTML from a template. Every text is escaped. */
export function html(parts: TemplateStringsArray, ...values: readonly Content[]) {
  return { html: String.raw({ raw: parts }, ...values.map(textOf)) };
}

function textOf(content: Content): string {
  if (typeof content === 'object') {
    return 'html' in content ? content.html : content.map(textOf).join('');
  }
  return String(content).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
