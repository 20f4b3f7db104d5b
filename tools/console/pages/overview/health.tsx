import type { Finding } from '../../../operator/doctor/finding.ts';
import { counted } from '../../../operator/text.ts';
import { List } from '../../components/list.tsx';
import { Sentence, Tag } from '../../components/text.tsx';
import { NextPage } from '../../http/next-page.tsx';

const tones = { ok: 'good', warning: 'warning', failed: 'bad' } as const;

/** The health of the deployment in one line, then what to do, then all checks. */
export function Health({ findings }: { readonly findings: readonly Finding[] }) {
  const bad = findings.filter(({ state }) => state === 'failed');
  const toDo = [...bad, ...findings.filter(({ state }) => state === 'warning')];
  return (
    <>
      <div class={`note ${tones[toDo[0]?.state ?? 'ok']}`}>
        <p role="status">
          <strong>{toDo.length === 0 ? 'All well' : `${counted(toDo.length, 'thing')} to do`}</strong>{' '}
          {counted(findings.length, 'check')}
        </p>
        {toDo.map((finding) => (
          <p>
            <Tag tone={tones[finding.state]}>{finding.check}</Tag> <Found of={finding} />
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
              cell: ({ state }) => <Tag tone={tones[state]}>{state}</Tag>,
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
