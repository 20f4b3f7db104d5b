import type { ActivityRange } from '../../../operator/requests/activity.ts';
import { type RefusalCount, readRefusals } from '../../../operator/requests/refusals.ts';
import { type Names, namesOf } from '../../../operator/uploads/names.ts';
import { IdLink } from '../../components/links.tsx';
import { type Column, Newest } from '../../components/list.tsx';
import { timeLimit } from '../../http/clock.ts';
import type { ConsoleContext } from '../../http/environment.ts';

/** As many as a glance takes in. */
const shownRefusals = 10;

/** The longest time to read logs. The logs of a busy day take minutes, and nobody waits so long. */
const readMilliseconds = 5_000;

/** Who was refused, and why: the most frequent first. */
export async function refusedClients({ deployment, now }: ConsoleContext, range: ActivityRange) {
  const { counts, isCutShort } = await readRefusals(deployment, range, timeLimit(now, readMilliseconds));
  const rows = counts.slice(0, shownRefusals);
  const ids = rows.flatMap(({ client_id }) => client_id ?? []);
  const columns = columnsWith(await namesOf(deployment, 'client', ids));
  const none = isCutShort ? 'Nothing was found yet.' : 'Nobody was refused.';
  return (
    <>
      <Newest title="Refused clients" columns={columns} rows={rows} none={none} />
      {(isCutShort || counts.length > rows.length) && (
        <p class="muted">There may be more: the saved query who-is-refused in CloudWatch shows them all.</p>
      )}
    </>
  );
}

function columnsWith(names: Names['clients']): readonly Column<RefusalCount>[] {
  return [
    {
      heading: 'Client',
      cell: ({ client_id: id }) =>
        id === undefined ? 'Unknown' : <IdLink to="client" id={id} name={names.get(id)} />,
    },
    {
      heading: 'Organisation',
      class: 'wide-only',
      cell: ({ organisation_id: id }) => id !== undefined && <IdLink to="organisation" id={id} name={id} />,
    },
    { heading: 'Reason', cell: ({ reason }) => reason.replaceAll('_', ' ') },
    { heading: 'Refused', class: 'right', cell: ({ count }) => count },
  ];
}
