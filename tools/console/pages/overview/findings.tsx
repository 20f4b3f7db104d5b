import type { Finding } from '../../../operator/doctor/finding.ts';
import { List } from '../../components/list.tsx';
import { Badge, Sentence, type Tone } from '../../components/text.tsx';
import { NextPage } from '../../http/next-page.tsx';

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
            cell: ({ message, advice, next }) => (
              <>
                <Sentence of={advice === undefined ? message : `${message} ${advice}`} />{' '}
                {next !== undefined && <NextPage step={next} />}
              </>
            ),
          },
        ]}
        rows={[...findings.filter(needsDoing), ...findings.filter((finding) => !needsDoing(finding))]}
      />
    </>
  );
}
