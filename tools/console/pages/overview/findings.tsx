import type { Check, Finding } from '../../../operator/doctor/finding.ts';
import { Part } from '../../components/detail.tsx';
import { List } from '../../components/list.tsx';
import { useRequest } from '../../components/request.ts';
import { Badge, Sentence, type Tone } from '../../components/text.tsx';

/** Where the console shows what a check looks at. */
const pages: Partial<Readonly<Record<Check, string>>> = {
  'signing keys': '/signing-keys',
  'key rotation': '/signing-keys',
  'dead letters': '/uploads/replay',
  alarms: '#alarms',
};

const words = {
  ok: { text: 'ok', tone: 'good' },
  warning: { text: 'warning', tone: 'warning' },
  failed: { text: 'failed', tone: 'bad' },
  not_checked: { text: 'not checked', tone: 'plain' },
} as const satisfies Record<Finding['state'], { readonly text: string; readonly tone: Tone }>;

/** Whether it is up, what needs doing, and all checks. */
export function Findings({ findings }: { readonly findings: readonly Finding[] }) {
  const api = findings.find(({ check }) => check === 'api');
  const open = findings.filter(({ state }) => state === 'failed' || state === 'warning');
  return (
    <>
      {api !== undefined && (
        <p>
          API: <State of={api} /> <Sentence of={api.message} />
        </p>
      )}
      <Part title="What needs doing">
        {open.length === 0 ? (
          <p>Nothing needs doing.</p>
        ) : (
          <ul class="plain">
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
              { heading: 'State', cell: (finding) => <State of={finding} /> },
              { heading: 'Found', cell: ({ message }) => <Sentence of={message} /> },
            ]}
            rows={findings}
          />
          <p class="hint">
            In a terminal: <code>{useRequest().commandLine(['doctor'])}</code>
          </p>
        </details>
      </Part>
    </>
  );
}

function State({ of: { state } }: { readonly of: Finding }) {
  return <Badge tone={words[state].tone}>{words[state].text}</Badge>;
}

function Todo({ finding }: { readonly finding: Finding }) {
  const { check, message, advice } = finding;
  const address = pages[check];
  return (
    <p>
      <State of={finding} /> <strong>{address === undefined ? check : <a href={address}>{check}</a>}</strong>:{' '}
      <Sentence of={advice === undefined ? message : `${message} ${advice}`} />
    </p>
  );
}
