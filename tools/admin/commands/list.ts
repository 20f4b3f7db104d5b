import { Option } from 'commander';
import { spoken } from '../../operator/description/noun.ts';
import { parseFilters } from '../../operator/lists/filters.ts';
import type { EntityList } from '../../operator/lists/list.ts';
import { readAll } from '../../operator/lists/read.ts';
import { parseLimit } from '../../operator/parse-input.ts';
import { namesFor } from '../../operator/uploads/names.ts';
import { UsageError } from '../../terminal/errors.ts';
import { createCommand } from '../../terminal/help.ts';
import { streamCsv, streamJson, streamTable } from '../../terminal/list-output.ts';
import { act, type CommandFactory, reportRead, type Session } from './session.ts';

type Flags = Readonly<Record<string, string | undefined>> & { readonly limit?: string };

/** Creates the command of a list: `client list`. */
export function listCommand(list: EntityList): CommandFactory {
  const { entity, verb, order = 'newest first', about, example, filters } = list;
  const nouns = `${spoken(entity.noun)}s`;
  return (context) => {
    const [name, summary, description] =
      verb === undefined
        ? ['list', `list ${nouns}`, `List ${nouns}, ${order}. ${about}`]
        : [verb, `${verb} ${nouns}`, about];
    const command = createCommand(name, summary, description, example).option(
      '--limit <count>',
      `list only the first entries (default: ${defaultLimit} on a terminal, otherwise all)`,
    );
    if (entity.csv !== undefined) {
      command.option('--csv', 'print the result as CSV with a header line');
    }
    for (const { name, placeholder = '<id>', about: selects, choices } of filters) {
      const option = new Option(`--${name} ${placeholder}`.trim(), `list only ${selects}`);
      const isFlag = placeholder === '';
      command.addOption(choices === undefined || isFlag ? option.preset('true') : option.choices(choices));
    }
    return command.action(
      act(context, (session, { csv, ...flags }: Flags & { readonly csv?: true }) =>
        runList(session, list, flags, csv === true),
      ),
    );
  };
}

/** Number of entries on a terminal without `--limit`. */
const defaultLimit = 100;

async function runList(
  { context, output, open, progress }: Session,
  { entity, filters, source }: EntityList,
  flags: Flags,
  csv: boolean,
) {
  if (csv && output.json) {
    throw new UsageError('Choose one format: --json or --csv, not both.');
  }
  const given = flags.limit === undefined ? undefined : parseLimit(flags.limit);
  const isTable = !csv && !output.json;
  const isTerminal = context.stdout.isTTY === true;
  const limit = given ?? (isTable && isTerminal ? defaultLimit : undefined);
  const valuesAt = parseFilters(filters, flags, (filter) => `--${filter}`);
  const deployment = await open();
  const pages = readAll(deployment, await source(deployment, valuesAt(deployment.now())), {
    // One entry above the limit shows that there are more.
    limit: isTable && limit !== undefined ? limit + 1 : limit,
    // Progress is shown only on a terminal that also shows the result.
    progress: isTable && isTerminal ? reportRead(progress) : undefined,
  });
  if (output.json) {
    await streamJson(output, pages);
  } else if (csv) {
    await streamCsv(output, pages, entity);
  } else {
    await streamTable(output, pages, entity, {
      beforeRows: progress.finish,
      limit,
      // Only uploads refer to files and clients.
      names: async (rows: readonly object[]) =>
        namesFor(deployment, isTerminal && entity.noun === 'upload' ? rows : []),
    });
  }
}
