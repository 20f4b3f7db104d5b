import { type OutgoingHttpHeaders, type RequestOptions, request } from 'node:http';
import type { TestConsole } from './serve.ts';

/** Response of the console. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
}

type Fields = Readonly<Record<string, string>>;

/** Opens a one-time link, and stores its cookie. */
export async function enter(console: TestConsole) {
  const response = await send(console.newLink());
  const cookie = response.headers['set-cookie']?.split(';')[0] ?? '';
  const get = (path: string, headers: OutgoingHttpHeaders = {}) =>
    send(`${console.origin}${path}`, { headers: { cookie, ...headers } });

  /** Sends a request body. Default headers: a form from the console's own origin. */
  const post = (path: string, body: string, changes: OutgoingHttpHeaders = {}) => {
    const { origin } = console;
    const headers = { cookie, origin, 'content-type': 'application/x-www-form-urlencoded', ...changes };
    return send(`${origin}${path}`, { method: 'POST', body, headers });
  };

  /** Loads a page, and submits one of its forms with the token of the form. */
  const submit = async (page: string, action: string, fields: Fields = {}) => {
    const { text } = await get(page);
    return post(action, String(new URLSearchParams({ token: tokenOf(text, action), ...fields })));
  };

  /** Submits a form of a page, and returns the page after that. */
  const act = async (page: string, action: string, fields?: Fields) => {
    const { status, headers, text } = await submit(page, action, fields);
    const { location } = headers;
    return location === undefined ? `${status} ${text}` : (await get(location)).text;
  };
  return { cookie, get, post, submit, act };
}

/**
 * Finds the token of a form on a page.
 *
 * @throws {Error} if the page contains no form with this action
 */
export function tokenOf(html: string, action: string): string {
  const form = html.split('<form ').find((part) => part.startsWith(`method="post" action="${action}"`));
  const token = /name="token" value="([^"]+)"/.exec(form ?? '')?.[1];
  if (token === undefined) {
    throw new Error(`There is no form for ${action} on this page:\n${html}`);
  }
  return token;
}

/**
 * Sends a request without changes (`fetch` does not let a test choose Host, Origin and Sec-Fetch-Site).
 * Follows no redirects. Host names that end with .localhost are this machine, as in a browser.
 */
export function send(
  address: string,
  { body, ...options }: RequestOptions & { readonly body?: string } = {},
): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const { host, hostname, port, pathname, search } = new URL(address);
    const place = {
      host: hostname.endsWith('.localhost') ? '127.0.0.1' : hostname.replace(/[[\]]/g, ''),
      port,
    };
    const headers = { host, ...options.headers };
    const sent = request({ ...place, path: `${pathname}${search}`, ...options, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => {
        const flat = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
        resolve({ status: response.statusCode ?? 0, headers: Object.fromEntries(flat), text });
      });
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
