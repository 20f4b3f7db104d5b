import { readFile } from 'node:fs/promises';
import { challengeOf } from './support/http.ts';
import { api, test } from './support/test.ts';

/** Sends the examples of docs/api.md unchanged. */

const page = await readFile(new URL('../../docs/api.md', import.meta.url), 'utf8');

/** The sentence in front of an exchange, its request with words in braces, and its response. */
const exchanges = Array.from(
  page.matchAll(/^([^\n]+):\n\n```http\n([\s\S]*?)\n(HTTP\/1\.1 [\s\S]*?)^```/gm),
  ([, title = '', request = '', response = '']) => ({ title, request, response: parseMessage(response) }),
);

function parseMessage(text: string) {
  const [head = '', ...body] = text.trim().split('\n\n');
  const [line = '', ...headerLines] = head.split('\n');
  const headers = headerLines.map((header) => {
    const [name = '', ...value] = header.split(':');
    return [name.toLowerCase(), value.join(':').trim()] as const;
  });
  return { start: line.split(' '), headers: Object.fromEntries(headers), body: body.join('\n\n') };
}

test('[1.4] docs/api.md has examples of every status that a client meets', () => {
  const statuses = exchanges.map(({ response }) => response.start[1]);
  expect([...new Set(statuses)].sort()).toEqual(['200', '400', '401', '403', '404', '409']);
});

test.for(exchanges)(
  '[1.3] [1.4] docs/api.md, $title',
  async ({ request, response }, { client, token, readerToken, file, fileNotEnabled }) => {
    const { clientId, clientSecret } = client;
    const values: Readonly<Record<string, string>> = {
      '{client_id:client_secret in base64}': Buffer.from(`${clientId}:${clientSecret}`).toString('base64'),
      '{client_id}': clientId,
      '{client_secret}': clientSecret,
      '{access_token}': token,
      '{access_token with volume:read alone}': readerToken,
      '{file_id}': file,
      '{file_id with syncing not enabled}': fileNotEnabled,
    };
    const sent = parseMessage(
      request.replace(/\{[^}]*\}/g, (name) => values[name] ?? `no value for ${name}`),
    );
    const [method = '', path = ''] = sent.start;
    const came = await api.call({ method, path, headers: sent.headers, body: sent.body });
    const headers = { ...came.headers, 'www-authenticate': challengeOf(came) };
    expect([String(came.status), headers]).toMatchObject([response.start[1], response.headers]);
    // A deployment may have another lifetime.
    const body = response.body.replace(/("expires_in":)\d+/, '$1...');
    // Not compared as text: a difference would print a token.
    expect(matchesText(body, came.text), 'the body is that of the example').toBe(true);
  },
);

/** Returns true if the text matches the expected text, in which `...` stands for any text. */
function matchesText(expected: string, text: string): boolean {
  const parts = expected.split('...').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[\\s\\S]*')}$`).test(text);
}
