import { routes } from '../../../contract/routes.ts';
import { hashOf, type WholePage } from '../../operator/whole-page.ts';
import { readReferenceParts } from './parts.ts';

/**
 * Settings of the renderer: no requests to other servers, no forms. The API rejects browsers (docs/api.md
 * 14.1), so the page sends no test requests.
 */
const settings = {
  telemetry: false,
  withDefaultFonts: false,
  hideTestRequestButton: true,
  hideClientButton: true,
  hideModels: true,
  defaultOpenAllTags: true,
  hideDarkModeToggle: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
};

/** Hides the row of contact and licence. It shows an icon without text, because neither has an address. */
const style = '.section-header-wrapper > .custom-scroll { display: none }';

/**
 * Storage for the renderer in a sandboxed page (HTML, "sandbox"), which has none. The renderer stores which
 * parts are folded.
 */
const storage = `try { localStorage } catch {
  const stored = new Map();
  const value = {
    getItem: (key) => stored.get(key) ?? null,
    setItem: (key, text) => stored.set(key, String(text)),
    removeItem: (key) => stored.delete(key),
  };
  Object.defineProperty(self, 'localStorage', { value });
  Object.defineProperty(self, 'sessionStorage', { value });
}`;

/**
 * Creates the reference page of the API: its OpenAPI description, rendered in the browser. The page is one
 * file and sends no requests.
 *
 * @param baseUrl base URL of the deployment. Default: an example
 */
export async function referencePage(baseUrl?: string): Promise<WholePage> {
  const { renderer, licence, description, exampleBaseUrl } = await readReferenceParts();
  const options = JSON.stringify({ ...settings, customCss: style, content: description })
    .replaceAll(exampleBaseUrl, baseUrl ?? exampleBaseUrl)
    .replaceAll('<', '\\u003c');
  const start = `Scalar.createApiReference('#reference', ${options});`;
  const scripts = [storage, renderer, start];
  // The renderer adds style elements while it runs.
  const policy =
    `default-src 'none'; script-src ${scripts.map(hashOf).join(' ')}; style-src 'unsafe-inline'; ` +
    "img-src data:; form-action 'none'; base-uri 'none'";
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${description.info.title}</title>
<!-- The scripts of this page contain Scalar:
${licence.replaceAll('--', '- -')}-->
</head>
<body>
<div id="reference"></div>
<noscript>This page requires JavaScript. The API description is also at ${routes.openapi.path} of the API.</noscript>
${scripts.map((script) => `<script>${script}</script>`).join('\n')}
</body>
</html>
`;
  return { html, policy };
}
