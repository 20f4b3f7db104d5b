import type { Alarm } from '../../../operator/alarms.ts';
import { Empty, List } from '../../components/list.tsx';
import { Badge, Text, Time } from '../../components/text.tsx';

const states = {
  ok: { text: 'ok', tone: 'good' },
  alarm: { text: 'raised', tone: 'bad' },
  insufficient_data: { text: 'no data', tone: 'plain' },
} as const;

/** The alarms, those that are raised first. */
export function Alarms({ alarms }: { readonly alarms: readonly Alarm[] }) {
  if (alarms.length === 0) {
    return <Empty title="There are no alarms." />;
  }
  const isRaised = ({ state }: Alarm) => state === 'alarm';
  return (
    <List
      label="Alarms"
      columns={[
        { heading: 'Alarm', cell: ({ name }) => name },
        {
          heading: 'Status',
          cell: ({ state }) => <Badge tone={states[state].tone}>{states[state].text}</Badge>,
        },
        { heading: 'Since', cell: ({ since }) => <Time of={since} /> },
        { heading: 'Meaning', cell: ({ description = '' }) => <Text of={description} /> },
      ]}
      rows={alarms.toSorted((one, other) => Number(isRaised(other)) - Number(isRaised(one)))}
    />
  );
}
