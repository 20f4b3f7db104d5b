import type { Check, Finding } from '../../../cli/operations/doctor/finding.ts';
import { Details, Part } from '../../components/detail.tsx';
import { List } from '../../components/list.tsx';
import { Badge, Sentence, type Tone } from '../../components/text.tsx';

/** Where the console shows what a check looks at. */
const pages: Partial<Readonly<Record<Check, { readonly address: string; readonly label: string }>>> = {
  'signing keys': { address: '/signing-keys', label: 'Signing keys' },
  'key rotation': { address: '/signing-keys', label: 'Signing keys' },
  'dead letters': { address: '/uploads/replay', label: 'the dead letters' },
  alarms: { address: '#alarms', label: 'Alarms' },
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
      <InShort findings={findings} />
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
              { heading: 'Found', cell: ({ message }) => <Sentence of={message} /> },
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

/** The checks that people look for first. */
function InShort({ findings }: { readonly findings: readonly Finding[] }) {
  const messageOf = (wanted: Check) =>
    findings.find(({ check }) => check === wanted)?.message ?? 'not checked';
  const api = findings.find(({ check }) => check === 'api');
  const isUp = api?.state === 'ok';
  return (
    <Details
      rows={[
        [
          'API',
          <span>
            {api !== undefined && api.state !== 'not_checked' && (
              <Badge tone={isUp ? 'good' : 'bad'}>{isUp ? 'up' : 'down'}</Badge>
            )}{' '}
            <Sentence of={messageOf('api')} />
          </span>,
        ],
        ['Dead letters', <Sentence of={messageOf('dead letters')} />],
        ['Alarms', <Sentence of={messageOf('alarms')} />],
        ['Signing keys', <Sentence of={messageOf('key rotation')} />],
      ]}
    />
  );
}

function Todo({ finding: { check, state, message, advice } }: { readonly finding: Finding }) {
  const page = pages[check];
  return (
    <>
      <Badge tone={words[state].tone}>{words[state].text}</Badge> <strong>{check}</strong>:{' '}
      <Sentence of={advice === undefined ? message : `${message} ${advice}`} />
      {page !== undefined && (
        <>
          {' '}
          <a href={page.address}>Go to {page.label}</a>
        </>
      )}
    </>
  );
}
