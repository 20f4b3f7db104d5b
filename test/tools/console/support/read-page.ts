import { computeAccessibleName, getRole } from 'dom-accessibility-api';
import { type Document, type Element, Window } from 'happy-dom';

const parser = new new Window().DOMParser();

/** Returns the visible text of a page. */
export function textOf(html: string): string {
  return html
    .replaceAll(/<\/?(bdi|time|code)\b[^>]*>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Parses the HTML of a page or of a part of a page. */
export const parse = (html: string): Document => parser.parseFromString(html, 'text/html');

/**
 * Finds elements by their role, their accessible name and attributes, or by attributes only.
 *
 * @example
 * find(page, 'role=link[name="Clear"][href="?"]');
 * find(page, 'css=#files[hx-trigger]');
 */
export function find(page: Document, query: string): readonly Element[] {
  const [, role, name, attributes] = /^role=(\w+)\[name="(.*?)"\](.*)$/.exec(query) ?? [];
  if (role === undefined) {
    return [...page.querySelectorAll(query.slice('css='.length))];
  }
  return [...page.querySelectorAll(attributes || '*')].filter(
    (element) => getRole(element) === role && nameOf(element) === name,
  );
}

/** Returns the accessible name of an element. Without the style sheet, no element is hidden by a style. */
function nameOf(element: Element): string {
  return computeAccessibleName(element, { getComputedStyle: () => ({ getPropertyValue: () => '' }) });
}

/** Returns the addresses of the links with an attribute, such as `rel="next"`. */
export function linksIn(html: string, attribute = 'href'): readonly string[] {
  return find(parse(html), `css=a[${attribute}]`).map((link) => link.getAttribute('href') ?? '');
}

/** Returns the given parts that a page does not contain. A part is visible text, or a query of {@link find}. */
export function missingIn(html: string, parts: readonly string[]): readonly string[] {
  const text = textOf(html);
  const page = parse(html);
  return parts.filter((part) =>
    /^(role|css)=/.test(part) ? find(page, part).length === 0 : !text.includes(part),
  );
}
