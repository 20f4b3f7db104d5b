import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { Command } from 'commander';
import { referencePage } from '../../operator/reference/page.ts';
import { addExamples } from '../../terminal/help.ts';
import { showJson, showOne } from '../../terminal/output.ts';
import { checkOutputPath, writeWholeFile } from '../whole-file.ts';
import { type AdminContext, act, type Session } from './session.ts';

interface PageFlags {
  readonly output?: string;
  readonly force?: boolean;
}

/** Creates the command `admin reference`. */
export function referenceCommand(context: AdminContext): Command {
  const command = withOutput(new Command('reference'))
    .summary('create the reference page of the API')
    .description(
      'Create the reference page of the API: its OpenAPI description as one HTML page, with the base URL of the ' +
        'deployment. The page requests nothing from other servers.',
    )
    .action(
      act(context, (session, flags: PageFlags) =>
        writePage(session, flags, async () => {
          const { BaseUrl } = (await session.open()).outputs;
          return (await referencePage(BaseUrl)).html;
        }),
      ),
    );
  return addExamples(command, '--stack file-sync-prod reference --output file-sync-api.html');
}

function withOutput(command: Command): Command {
  return command
    .option('--output <path>', 'write the page to this path (default: standard output)')
    .option('--force', 'replace the output file if it exists');
}

async function writePage(
  { output }: Session,
  { output: path, force = false }: PageFlags,
  create: () => Promise<string>,
): Promise<void> {
  if (path === undefined) {
    const html = await create();
    if (output.json) {
      showJson(output, { html });
    } else {
      output.stdout.write(html);
    }
    return;
  }
  const whole = resolve(path);
  await checkOutputPath(whole, force);
  await writeWholeFile(whole, Readable.from([Buffer.from(await create())]), force);
  showOne(output, { output: whole }, [['Written to', whole]]);
}
