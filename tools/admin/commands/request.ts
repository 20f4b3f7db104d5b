import type { Command } from 'commander';
import { parseTime } from '../../operator/parse-input.ts';
import { requests } from '../../operator/requests/fields.ts';
import { parseRequestId } from '../../operator/requests/request-id.ts';
import { readRequestTimeline } from '../../operator/requests/timeline.ts';
import { createCommand } from '../../terminal/help.ts';
import { type AdminContext, act } from './session.ts';
import { show } from './show.ts';

/** Creates the command `request show`. */
export function showRequestCommand(context: AdminContext): Command {
  return (
    createCommand(
      'show',
      'explain one request',
      'Show the sender and the route of a request, its response and the cause, from the logs and the tables. For an upload URL, also show its timeline.',
      '--local request show REQUEST_ID',
      '--stack file-sync-prod request show ID --since 7d',
    )
      // The id of a request may begin with `-`.
      .allowUnknownOption()
      .argument('<request-id>', 'the header apigw-requestid of the response')
      .option('--since <time>', 'search the logs from this time on, such as 7d (default: a day)')
      .action(
        act(context, async (session, entered: string, { since }: { readonly since?: string }) => {
          const id = parseRequestId(entered);
          const sinceAt = since === undefined ? undefined : parseTime(since, '--since');
          const deployment = await session.open();
          const timeline = await readRequestTimeline(deployment, id, {
            since: sinceAt?.(deployment.now()),
            progress: session.progress.update,
          });
          await show(session, requests, timeline);
        }),
      )
  );
}
