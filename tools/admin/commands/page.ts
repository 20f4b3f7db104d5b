import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import type { Command } from 'commander';
import { referencePage } from '../../generate/reference/page.ts';
import { guideFor } from '../../operator/clients/guide/page.ts';
import type { Deployment } from '../../operator/deployment/deployment.ts';
import type { WholePage } from '../../operator/whole-page.ts';
import { createCommand } from '../../terminal/help.ts';
import { showJson } from '../../terminal/output.ts';
import { showOne } from '../../terminal/table.ts';
import { checkOutputPath, writeWholeFile } from '../whole-file.ts';
import { type AdminContext, act, type Session } from './session.ts';

interface PageFlags {
  readonly output?: string;
  readonly force?: boolean;
}

/** Creates the command `admin client guide`. */
export function guideCommand(context: AdminContext): Command {
  const command = createCommand(
    'guide',
    'create a guide for the application of a client',
    'Create a guide for the developers of a client: one HTML page, for a screen and for paper, with the values, the ' +
      'requests, the limits and the errors. The page does not contain the client secret.',
    '--local client guide CLIENT_ID --output guide.html',
  );
  return withOutput(command)
    .argument('<client-id>')
    .action(
      act(context, (session, id: string, flags: PageFlags) =>
        writePage(session, flags, (deployment) => guideFor(deployment, id)),
      ),
    );
}

/** Creates the command `admin reference`. */
export function referenceCommand(context: AdminContext): Command {
  const command = createCommand(
    'reference',
    'create the reference page of the API',
    'Create the reference page of the API: its OpenAPI description as one HTML page, with the base URL of the ' +
      'deployment. The page requests nothing from other servers.',
    '--stack file-sync-prod reference --output file-sync-api.html',
  );
  return withOutput(command).action(
    act(context, (session, flags: PageFlags) =>
      writePage(session, flags, ({ outputs }) => referencePage(outputs.BaseUrl)),
    ),
  );
}

function withOutput(command: Command): Command {
  return command
    .option('--output <path>', 'write the page to this path (default: standard output)')
    .option('--force', 'replace the output file if it exists');
}

async function writePage(
  { open, output }: Session,
  { output: given, force = false }: PageFlags,
  create: (deployment: Deployment) => Promise<WholePage>,
): Promise<void> {
  const path = given && resolve(given);
  await (path && checkOutputPath(path, force));
  const { html } = await create(await open());
  if (path) {
    await writeWholeFile(path, Readable.from([Buffer.from(html)]), force);
    showOne(output, { output: path }, [['Written to', path]]);
  } else if (output.json) {
    showJson(output, { html });
  } else {
    output.stdout.write(html);
  }
}
