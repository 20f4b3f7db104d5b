import { Command, Option } from 'commander';
import {
  type Activity,
  type ActivitySeries,
  type ActivitySpan,
  activitySpans,
  rangeOf,
  readActivity,
} from '../../operator/activity.ts';
import { type Alarm, readAlarms } from '../../operator/alarms.ts';
import { counted, formatBytes } from '../../operator/text.ts';
import { addExamples } from '../../terminal/help.ts';
import { note, showJson, tableWidth } from '../../terminal/output.ts';
import { type Column, startTable } from '../../terminal/table.ts';
import { type AdminContext, act } from './session.ts';

const helpText = `
CloudWatch shows what happened about a minute later. The values over time are
in --json. A refusal is counted as a whole, and once more for its reason.`;

/** `admin activity`. */
export function activityCommand(context: AdminContext): Command {
  const command = new Command('activity')
    .summary('show tokens, upload URLs, uploads, refusals and alarms')
    .description(
      'Show what happened in the last hour, day or week: tokens and upload URLs that were issued and refused, with the ' +
        'reasons; uploads; answers of the API; and the alarms.',
    )
    .addOption(new Option('--last <span>', 'how far back').choices(Object.keys(activitySpans)).default('day'))
    .addHelpText('after', helpText)
    .action(
      act(context, async ({ open, output }, { last }: { readonly last: ActivitySpan }) => {
        const deployment = await open();
        const [activity, alarms] = await Promise.all([
          readActivity(deployment, rangeOf(last, Date.now())),
          readAlarms(deployment),
        ]);
        if (output.json) {
          showJson(output, { data: { ...activity, alarms } });
          return;
        }
        const render = startTable(columns, tableWidth(output.stdout));
        output.stdout.write(render(activity.series.filter(isWorthARow)));
        for (const alarm of alarms.filter(({ state }) => state === 'alarm')) {
          note(output, describeAlarm(alarm));
        }
        note(output, summaryOf(activity, alarms));
      }),
    );
  return addExamples(command, '--local activity --last hour', '--stack file-sync-prod activity --json');
}

const columns: readonly Column<ActivitySeries>[] = [
  { heading: 'WHAT', value: ({ meaning, reason }) => (reason === undefined ? meaning : `  ${reason}`) },
  { heading: 'HOW MUCH', value: formatTotal, align: 'right' },
];

/** Of the reasons, only those that were given. */
function isWorthARow({ reason, total }: ActivitySeries): boolean {
  return reason === undefined || (total ?? 0) > 0;
}

function formatTotal({ unit, statistic, total }: ActivitySeries): string {
  if (total === null) {
    return '-';
  }
  if (unit === 'Bytes') {
    return formatBytes(total);
  }
  const suffix = statistic.startsWith('p') ? ` (${statistic})` : '';
  return unit === 'Milliseconds' ? `${Math.round(total)} ms${suffix}` : String(total);
}

function describeAlarm({ name, description = '', since = 'an unknown time' }: Alarm): string {
  return `Alarm ${name} is raised since ${since}: ${description}`;
}

function summaryOf({ since, until }: Activity, alarms: readonly Alarm[]): string {
  const raised = alarms.filter(({ state }) => state === 'alarm').length;
  const ofAlarms = raised === 0 ? 'none raised' : `${raised} raised`;
  return `From ${since} to ${until}. ${counted(alarms.length, 'alarm')}, ${ofAlarms}.`;
}
