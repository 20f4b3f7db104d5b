import type { Finding } from '../../../operator/doctor/finding.ts';
import { List } from '../../components/list.tsx';
import { useRequest } from '../../components/request.ts';
import { Badge, Sentence, type Tone } from '../../components/text.tsx';

const words = {
  ok: { text: 'ok', tone: 'good' },
  warning: { text: 'warning', tone: 'warning' },
  failed: { text: 'failed', tone: 'bad' },
  not_checked: { text: 'not checked', tone: 'plain' },
} as const satisfies Record<Finding['state'], { readonly text: string; readonly tone: Tone }>;

/** Whether it is up, and what needs doing: that comes first. */
export function Findings({ findings }: { readonly findings: readonly Finding[] }) {
  const needsDoing = ({ state }: Finding) => state === 'failed' || state === 'warning';
  return (
    <>
      {!findings.some(needsDoing) && <p>Nothing needs doing.</p>}
      <List
        label="Checks"
        columns={[
          { heading: 'Check', cell: ({ check }) => check },
          {
            heading: 'Status',
            cell: ({ state }) => <Badge tone={words[state].tone}>{words[state].text}</Badge>,
          },
          {
            heading: 'Found',
            cell: ({ message, advice }) => (
              <Sentence of={advice === undefined ? message : `${message} ${advice}`} />
            ),
          },
        ]}
        rows={[...findings.filter(needsDoing), ...findings.filter((finding) => !needsDoing(finding))]}
      />
      <p class="hint">
        In a terminal: <code>{useRequest().commandLine(['doctor'])}</code>
      </p>
    </>
  );
}
