import { Command } from 'commander';
import { parseTime } from '../../operator/parse-input.ts';
import { requests } from '../../operator/requests/fields.ts';
import { parseRequestId } from '../../operator/requests/request-id.ts';
import { readRequestTimeline } from '../../operator/requests/timeline.ts';
import { addExamples } from '../../terminal/help.ts';
import { createProgress } from '../../terminal/progress.ts';
import { type AdminContext, act } from './session.ts';
import { show } from './show.ts';

/** Creates the command `request show`. */
export function showRequestCommand(context: AdminContext): Command {
  const command = new Command('show')
    .summary('explain one request')
    .description(
      'Show the sender and the route of a request, its response and the cause, from the logs and the tables. For an upload URL, also show its timeline.',
    )
    // The id of a request may begin with `-`.
    .allowUnknownOption()
    .argument('<request-id>', 'the header apigw-requestid of the response')
    .option('--since <time>', 'search the logs from this time on, such as 7d (default: a day)')
    .action(
      act(context, async (session, entered: string, { since }: { readonly since?: string }) => {
        const id = parseRequestId(entered);
        const reading = createProgress<string>(session.output.stderr, (sentence) => sentence);
        const sinceAt = since === undefined ? undefined : parseTime(since, '--since');
        const deployment = await session.open();
        const timeline = await readRequestTimeline(deployment, id, {
          since: sinceAt?.(deployment.now()),
          progress: reading.update,
        }).finally(reading.finish);
        show(session, requests, timeline);
      }),
    );
  return addExamples(
    command,
    '--local request show REQUEST_ID',
    '--stack file-sync-prod request show ID --since 7d',
  );
}
