/** Content of an XML element: text, or child elements by name. A list repeats the child element. */
export type XmlContent = string | number | boolean | { readonly [name: string]: XmlChild };
type XmlChild = XmlContent | readonly XmlContent[] | undefined;

/** Writes an XML document with one root element. */
export function xmlDocument(root: string, content: XmlContent, namespace?: string): string {
  const attribute = namespace === undefined ? '' : ` xmlns="${namespace}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root}${attribute}>${children(content)}</${root}>`;
}

function children(content: XmlContent): string {
  if (typeof content !== 'object') {
    return escapeXml(String(content));
  }
  return Object.entries(content)
    .map(([name, child]) => element(name, child))
    .join('');
}

function element(name: string, child: XmlChild): string {
  if (child === undefined) {
    return '';
  }
  if (isList(child)) {
    return child.map((item) => element(name, item)).join('');
  }
  return `<${name}>${children(child)}</${name}>`;
}

function isList(child: XmlChild): child is readonly XmlContent[] {
  return Array.isArray(child);
}

/** Characters that XML 1.0 cannot contain are replaced (section 2.2). */
function escapeXml(text: string): string {
  return (
    text
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll('\r', '&#13;')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to replace
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
  );
}
