import { readFile } from 'node:fs/promises';
import type { Headers, Question } from './http.ts';

/** What stands for the words in braces. */
export type Values = Readonly<Record<string, string>>;

/** One exchange of docs/api.md. */
export interface Example {
  /** The sentence in front of it. */
  readonly title: string;
  readonly request: (values: Values) => Question;
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface ApiExamples {
  readonly exchanges: readonly Example[];
  /** For a POSIX shell, with FILE_SYNC_BASE_URL, FILE_SYNC_CLIENT_ID, FILE_SYNC_CLIENT_SECRET and FILE_SYNC_FILE_ID. */
  readonly script: string;
  /** What the script prints. */
  readonly output: string;
}

/** @throws {Error} when docs/api.md has no example, or one that cannot be read */
export async function apiExamples(): Promise<ApiExamples> {
  const page = await readFile(new URL('../../../docs/api.md', import.meta.url), 'utf8');
  const exchanges = [...page.matchAll(/^([^\n]+):\n\n```http\n([\s\S]*?)^```/gm)].map(
    ([, title = '', text = '']) => parseExchange(title, text),
  );
  const script = /^```sh\n([\s\S]*?)^```/m.exec(page)?.[1];
  const output = /^```text\n([\s\S]*?)^```/m.exec(page)?.[1];
  if (exchanges.length === 0 || script === undefined || output === undefined) {
    throw new Error('docs/api.md has no examples');
  }
  return { exchanges, script, output };
}

function parseExchange(title: string, text: string): Example {
  const at = text.indexOf('\nHTTP/1.1 ');
  const [request, answer] = [parseMessage(text.slice(0, at)), parseMessage(text.slice(at + 1))];
  const [method = '', ...target] = request.line.replace(/ HTTP\/1\.1$/, '').split(' ');
  if (at < 0 || answer.line === '') {
    throw new Error(`The example has no answer: ${title}`);
  }
  return {
    title,
    request: (values) => ({
      method,
      path: fill(target.join(' '), values),
      headers: mapValues(request.headers, (value) => fill(value, values)),
      ...(request.body === '' ? {} : { body: fill(request.body, values) }),
    }),
    status: Number(answer.line.split(' ')[1]),
    headers: answer.headers,
    body: answer.body,
  };
}

interface Message {
  readonly line: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

function parseMessage(text: string): Message {
  const [head = '', ...body] = text.trim().split('\n\n');
  const [line = '', ...headerLines] = head.split('\n');
  const headers = headerLines.map((header) => {
    const colon = header.indexOf(':');
    return [header.slice(0, colon).toLowerCase(), header.slice(colon + 1).trim()] as const;
  });
  return { line, headers: Object.fromEntries(headers), body: body.join('\n\n') };
}

function fill(text: string, values: Values): string {
  return text.replace(/\{[^}]*\}/g, (name) => {
    const value = values[name];
    if (value === undefined) {
      throw new Error(`The examples know no value for ${name}`);
    }
    return value;
  });
}

function mapValues(headers: Readonly<Record<string, string>>, change: (value: string) => string): Headers {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, change(value)]));
}

/** Whether a text is the expected one, in which `...` stands for any text. */
export function matchesText(expected: string, text: string): boolean {
  const parts = expected.split('...').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[\\s\\S]*')}$`).test(text);
}
