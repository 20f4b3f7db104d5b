import type { PropsWithChildren } from 'hono/jsx';
import type { ApiAnswer } from '../../../cli/operations/api/call-api.ts';
import { counted, hideSecrets } from '../../../cli/text.ts';
import { Details, Part } from '../../components/detail.tsx';
import { List } from '../../components/list.tsx';
import { Badge, Text } from '../../components/text.tsx';
import { Code } from './code.tsx';

/** An answer of the API. Tokens and signatures are shortened: nobody can use what is on the screen. */
export function Answer({ answer, children }: PropsWithChildren<{ readonly answer: ApiAnswer }>) {
  const { status, headers, body, milliseconds } = answer;
  return (
    <Part title="The answer">
      <Details
        rows={[
          ['Status', <Badge tone={status < 400 ? 'good' : 'bad'}>{String(status)}</Badge>],
          ['Time', `${Math.round(milliseconds)} ms`],
        ]}
      />
      <Code text={shownBody(body)} label="Body of the answer" />
      {children}
      <details>
        <summary>{counted(headers.length, 'header')}</summary>
        <List
          label="Headers of the answer"
          columns={[
            { heading: 'Header', cell: ([name]) => <Text of={name} /> },
            { heading: 'Value', cell: ([, value]) => <Text of={value} /> },
          ]}
          rows={headers}
        />
      </details>
    </Part>
  );
}

/** The body, in lines, with what is secret shortened. */
function shownBody(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), shorten, 2);
  } catch {
    return body === '' ? '(no body)' : hideSecrets(body);
  }
}

function shorten(name: string, value: unknown): unknown {
  if (typeof value !== 'string') {
    return value;
  }
  if (name === 'access_token') {
    return shownToken(value);
  }
  const url = value.includes('X-Amz-') ? URL.parse(value) : null;
  if (url === null) {
    return hideSecrets(value);
  }
  for (const secret of ['X-Amz-Signature', 'X-Amz-Credential', 'X-Amz-Security-Token']) {
    if (url.searchParams.has(secret)) {
      url.searchParams.set(secret, 'not-shown');
    }
  }
  return url.href;
}

/** The beginning of a token, which says nothing. */
export function shownToken(token: string): string {
  return `${token.slice(0, 12)}… (${token.length} characters)`;
}
