import { type ActivitySpan, activitySpans } from '../../../operator/requests/activity.ts';
import { requestCounts } from '../../../operator/requests/count-lists.ts';
import { countRequests } from '../../../operator/requests/count-requests.ts';
import { namesFor } from '../../../operator/uploads/names.ts';
import { entityColumns, NamesScope } from '../../components/entity.tsx';
import { Newest } from '../../components/list.tsx';
import { timeLimit } from '../../http/clock.ts';
import type { ConsoleContext } from '../../http/environment.ts';

/** As many as a glance takes in. */
const shownRefusals = 10;

/** The longest time to read logs. The logs of a busy day take minutes, and nobody waits so long. */
const readMilliseconds = 5_000;

/** Who was refused, and why: the most frequent first. */
export async function refusedClients({ deployment, now }: ConsoleContext, span: ActivitySpan) {
  const until = new Date(now());
  const range = { since: new Date(until.getTime() - activitySpans[span].seconds * 1000), until };
  const isTimeUp = timeLimit(now, readMilliseconds);
  const { entries, isCutShort } = await countRequests(deployment, 'refusals', range, { isTimeUp });
  const rows = entries.slice(0, shownRefusals);
  return (
    <NamesScope.Provider value={await namesFor(deployment, rows)}>
      <Newest
        title="Refused clients"
        columns={entityColumns(requestCounts)}
        rows={rows}
        all="/refusals"
        none={isCutShort ? 'Nothing was found yet.' : 'Nobody was refused.'}
      />
      <p class="muted">
        {isCutShort && 'There may be more: the command "client refusals" has no limit of time. '}
        <a href="/usage">Who gets tokens and upload URLs</a>
      </p>
    </NamesScope.Provider>
  );
}
