import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import type { Command } from 'commander';
import { guideFor } from '../../operator/clients/guide/page.ts';
import { createCommand } from '../../terminal/help.ts';
import { showJson } from '../../terminal/output.ts';
import { showOne } from '../../terminal/table.ts';
import { checkOutputPath, writeWholeFile } from '../whole-file.ts';
import { type AdminContext, act, type Session } from './session.ts';

interface GuideFlags {
  readonly output?: string;
  readonly force?: boolean;
}

/** Creates the command `admin client guide`. */
export function guideCommand(context: AdminContext): Command {
  return createCommand(
    'guide',
    'create a guide for the application of a client',
    'Create a guide for the developers of a client: one HTML page, for a screen and for paper, with the values, the ' +
      'requests, the limits and the errors. The page does not contain the client secret.',
    '--local client guide CLIENT_ID --output guide.html',
  )
    .argument('<client-id>')
    .option('--output <path>', 'write the page to this path (default: standard output)')
    .option('--force', 'replace the output file if it exists')
    .action(act(context, writeGuide));
}

async function writeGuide(
  { open, output }: Session,
  clientId: string,
  { output: given, force = false }: GuideFlags,
): Promise<void> {
  const path = given && resolve(given);
  await (path && checkOutputPath(path, force));
  const { html } = await guideFor(await open(), clientId);
  if (path) {
    await writeWholeFile(path, Readable.from([Buffer.from(html)]), force);
    showOne(output, { output: path }, [['Written to', path]]);
  } else if (output.json) {
    showJson(output, { html });
  } else {
    output.stdout.write(html);
  }
}
