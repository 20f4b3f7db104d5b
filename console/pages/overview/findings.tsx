import type { Check, Finding } from '../../../cli/operations/doctor/finding.ts';
import { Part } from '../../components/detail.tsx';
import { List } from '../../components/list.tsx';
import { Badge, Text, type Tone } from '../../components/text.tsx';

/** Where the console shows what a check looks at. */
const pages: Partial<Readonly<Record<Check, { readonly address: string; readonly label: string }>>> = {
  'signing keys': { address: '/signing-keys', label: 'Signing keys' },
  'key rotation': { address: '/signing-keys', label: 'Signing keys' },
  'dead letters': { address: '/uploads', label: 'Uploads' },
  alarms: { address: '#alarms', label: 'Alarms' },
  api: { address: '/try', label: 'Try it' },
};

const words = {
  ok: { text: 'ok', tone: 'good' },
  warning: { text: 'warning', tone: 'warning' },
  failed: { text: 'failed', tone: 'bad' },
  not_checked: { text: 'not checked', tone: 'plain' },
} as const satisfies Record<Finding['state'], { readonly text: string; readonly tone: Tone }>;

/** Whether it is up, what needs doing, and all checks. */
export function Findings({
  findings,
  command,
}: {
  readonly findings: readonly Finding[];
  /** How the same checks are made in a terminal. */
  readonly command: string;
}) {
  const open = findings.filter(({ state }) => state === 'failed' || state === 'warning');
  return (
    <>
      <IsUp findings={findings} />
      <Part title="What needs doing">
        {open.length === 0 ? (
          <p>Nothing needs doing.</p>
        ) : (
          <ul class="plain todo">
            {open.map((finding) => (
              <li>
                <Todo finding={finding} />
              </li>
            ))}
          </ul>
        )}
        <details>
          <summary>All {findings.length} checks</summary>
          <List
            label="All checks"
            columns={[
              { heading: 'Check', cell: ({ check }) => check },
              {
                heading: 'State',
                cell: ({ state }) => <Badge tone={words[state].tone}>{words[state].text}</Badge>,
              },
              { heading: 'Found', cell: ({ message }) => <Text of={message} /> },
            ]}
            rows={findings}
          />
          <p class="hint">
            In a terminal: <code>{command}</code>
          </p>
        </details>
      </Part>
    </>
  );
}

function IsUp({ findings }: { readonly findings: readonly Finding[] }) {
  const api = findings.find(({ check }) => check === 'api');
  if (api === undefined || api.state === 'not_checked') {
    return <p>Whether the API is up was not checked.</p>;
  }
  return (
    <p>
      <Badge tone={api.state === 'ok' ? 'good' : 'bad'}>{api.state === 'ok' ? 'up' : 'down'}</Badge>{' '}
      <Text of={api.message} />
    </p>
  );
}

function Todo({ finding: { check, state, message, advice } }: { readonly finding: Finding }) {
  const page = pages[check];
  return (
    <>
      <Badge tone={words[state].tone}>{words[state].text}</Badge> <strong>{check}</strong>:{' '}
      <Text of={advice === undefined ? message : `${message} ${advice}`} />
      {page !== undefined && (
        <>
          {' '}
          <a href={page.address}>Go to {page.label}</a>
        </>
      )}
    </>
  );
}
