import { timeLimit } from '../../../operator/deployment/aws-clock.ts';
import { parseTime } from '../../../operator/parse-input.ts';
import { requests } from '../../../operator/requests/fields.ts';
import { parseRequestId } from '../../../operator/requests/request-id.ts';
import { readRequestTimeline } from '../../../operator/requests/timeline.ts';
import { namesFor } from '../../../operator/uploads/names.ts';
import { Later, Notes } from '../../components/detail.tsx';
import { EntityDetails, NamesScope } from '../../components/entity.tsx';
import { path, withQuery } from '../../http/addresses.ts';
import type { PageContext } from '../../http/environment.ts';
import { NextPage } from '../../http/next-page.tsx';
import { partPage } from '../../http/problem.tsx';
import { page } from '../../http/respond.tsx';

/** Time limit for reading logs for a page. */
const readMilliseconds = 20_000;

/** The timeline of a request. The logs take seconds to read, so the timeline is loaded after the page. */
export function showRequest(c: PageContext, entered: string) {
  const id = parseRequestId(entered);
  const { since, part } = c.req.query();
  if (part !== undefined) {
    return partPage(c, { id: 'timeline', title: 'Request' }, timelineOf(c, id, since));
  }
  const address = withQuery(path('requests', id), { since, part: 'timeline' });
  return page(c, { title: 'Request' }, <Later id="timeline" address={address} />);
}

async function timelineOf(c: PageContext, id: string, from: string | undefined) {
  const { deployment } = c.var.console;
  const { now } = deployment;
  const since = from === undefined ? undefined : parseTime(from, 'since')(now());
  const options = { since, isTimeUp: timeLimit(now, readMilliseconds) };
  const { of, notes, next = [] } = await readRequestTimeline(deployment, id, options);
  return (
    <NamesScope.Provider value={await namesFor(deployment, [of])}>
      <Notes of={notes} />
      <EntityDetails entity={requests} of={of} />
      {next.map((step) => (
        <p>
          <NextPage step={step} />
        </p>
      ))}
    </NamesScope.Provider>
  );
}
