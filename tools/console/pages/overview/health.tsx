import type { Finding } from '../../../operator/doctor/finding.ts';
import { counted } from '../../../operator/text.ts';
import { List } from '../../components/list.tsx';
import { Sentence, Tag, type Tone } from '../../components/text.tsx';
import { NextPage } from '../../http/next-page.tsx';

const words = {
  ok: { text: 'ok', tone: 'good' },
  warning: { text: 'warning', tone: 'warning' },
  failed: { text: 'failed', tone: 'bad' },
} as const satisfies Record<Finding['state'], { readonly text: string; readonly tone: Tone }>;

/** Is it well, in one line; then what to do; then everything that was looked at. */
export function Health({ findings }: { readonly findings: readonly Finding[] }) {
  const bad = findings.filter(({ state }) => state === 'failed');
  const toDo = [...bad, ...findings.filter(({ state }) => state === 'warning')];
  const tone = bad.length > 0 ? 'bad' : toDo.length > 0 ? 'warning' : 'good';
  return (
    <>
      <div class={`note ${tone}`}>
        <p role="status">
          <strong>{toDo.length === 0 ? 'All well' : `${counted(toDo.length, 'thing')} to do`}</strong>{' '}
          {counted(findings.length, 'check')}
        </p>
        {toDo.map((finding) => (
          <p>
            <Tag tone={words[finding.state].tone}>{finding.check}</Tag> <Found of={finding} />
          </p>
        ))}
      </div>
      <details>
        <summary>All checks</summary>
        <List
          label="Checks"
          columns={[
            {
              heading: 'State',
              cell: ({ state }) => <Tag tone={words[state].tone}>{words[state].text}</Tag>,
            },
            { heading: 'Check', cell: ({ check }) => check },
            { heading: 'Found', class: 'text', cell: (finding) => <Found of={finding} /> },
          ]}
          rows={findings}
        />
      </details>
    </>
  );
}

/** What was found, and what to do. */
function Found({ of: { message, advice = '', next } }: { readonly of: Finding }) {
  return (
    <>
      <Sentence of={`${message} ${advice}`} /> {next !== undefined && <NextPage step={next} />}
    </>
  );
}
