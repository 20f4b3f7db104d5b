import { explainAwsError } from '../../../operator/deployment/aws-errors.ts';
import type { Look } from '../../../operator/description/entity.ts';
import { parseTime } from '../../../operator/parse-input.ts';
import { requests } from '../../../operator/requests/fields.ts';
import { parseRequestId } from '../../../operator/requests/request-id.ts';
import { type Story, tellStory } from '../../../operator/requests/story.ts';
import { namesFor } from '../../../operator/uploads/names.ts';
import { Later, Live, Notes } from '../../components/detail.tsx';
import { EntityDetails, NamesScope } from '../../components/entity.tsx';
import { path, withQuery } from '../../http/addresses.ts';
import { timeLimit } from '../../http/clock.ts';
import type { PageContext } from '../../http/environment.ts';
import { NextPage } from '../../http/next-page.tsx';
import { ErrorText } from '../../http/problem.tsx';
import { page } from '../../http/respond.tsx';

/** The longest time to read logs for a page. */
const readMilliseconds = 20_000;

/** The story of a request. The logs take seconds to read, so the story comes after the page. */
export async function showRequest(c: PageContext, entered: string) {
  const id = parseRequestId(entered);
  const { since, part } = c.req.query();
  const address = withQuery(path('requests', id), { since, part: 'story' });
  const story = part === undefined ? <Later id="story" address={address} /> : await storyOf(c, id, since);
  return page(c, { title: 'Request' }, story);
}

async function storyOf(c: PageContext, id: string, since: string | undefined) {
  const { deployment, now, env } = c.var.console;
  const from = since === undefined ? undefined : parseTime(since, 'since', new Date(now()));
  const telling = { since: from, now, isTimeUp: timeLimit(now, readMilliseconds) };
  return (
    <Live id="story" trigger={undefined}>
      {
        await tellStory(deployment, id, telling).then(
          async (look) => (
            <NamesScope.Provider value={await namesFor(deployment, [look.of])}>
              <Told look={look} />
            </NamesScope.Provider>
          ),
          // The answer is a part of a page, and says what failed in its place.
          (error: unknown) => <ErrorText error={explainAwsError(error, env)} />,
        )
      }
    </Live>
  );
}

function Told({ look: { of, notes, next = [] } }: { readonly look: Look<Story> }) {
  return (
    <>
      <Notes of={notes} />
      <EntityDetails entity={requests} of={of} />
      {next.map((step) => (
        <p>
          <NextPage step={step} />
        </p>
      ))}
    </>
  );
}
