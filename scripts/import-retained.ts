/**
 * Writes what imports the data of a deleted stack into a new one, and prints the commands that do it:
 *
 *     npm run -s import-retained -- --stack file-sync-prod
 *
 * It changes nothing in AWS.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { stages } from '../lib/configuration.ts';
import { createApp } from '../lib/file-sync-app.ts';
import { findRetained } from './retained/find-retained.ts';
import { type PlanResource, planImport } from './retained/import-plan.ts';

const usage = `Usage: npm run -s import-retained -- --stack NAME [--stack-id ARN] [--output DIR]

  --stack NAME    The stack that was deleted: ${stages.map((stage) => `file-sync-${stage}`).join(' or ')}
  --stack-id ARN  Which one, if several of this name were deleted (default: the last one that retained data)
  --output DIR    Where the two files go (default: cdk.out/import)
`;

const options = {
  stack: { type: 'string' },
  'stack-id': { type: 'string' },
  output: { type: 'string', default: join('cdk.out', 'import') },
  help: { type: 'boolean', default: false },
} as const;

function commands(name: string, folder: string): string {
  const changeSet = `--stack-name ${name} --change-set-name import-retained`;
  return [
    `aws cloudformation create-change-set ${changeSet} --change-set-type IMPORT \\`,
    `    --template-body file://${folder}/template.json --resources-to-import file://${folder}/resources.json`,
    `aws cloudformation wait change-set-create-complete ${changeSet}`,
    `aws cloudformation execute-change-set ${changeSet}`,
    `aws cloudformation wait stack-import-complete --stack-name ${name}`,
    'npx cdk deploy    # with the settings of the deleted stack',
  ].join('\n');
}

function templateOf(stage: string, folder: string): Readonly<Record<string, PlanResource>> {
  // Without bundling: no function is imported.
  const context = { stage, 'aws:cdk:bundling-stacks': [] };
  const { app, stack } = createApp({
    context,
    outdir: join(folder, 'synthesized'),
    builtinCloudFormationValidation: false,
  });
  const { template } = app.synth().getStackByName(stack.stackName);
  return (template as { readonly Resources: Readonly<Record<string, PlanResource>> }).Resources;
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options });
  const stage = stages.find((known) => values.stack === `file-sync-${known}`);
  if (values.help || stage === undefined) {
    (values.help ? process.stdout : process.stderr).write(usage);
    process.exitCode = values.help ? 0 : 2;
    return;
  }
  const name = `file-sync-${stage}`;
  const found = await findRetained(new CloudFormationClient({}), name, values['stack-id']);
  const plan = planImport(templateOf(stage, values.output), found.resources);
  await mkdir(values.output, { recursive: true });
  const write = (file: string, content: unknown) =>
    writeFile(join(values.output, file), `${JSON.stringify(content, null, 2)}\n`);
  await write('template.json', plan.template);
  await write('resources.json', plan.resourcesToImport);
  process.stdout.write(`${found.stackId}, deleted ${found.deletedAt}, retained:\n`);
  for (const { LogicalResourceId, ResourceIdentifier } of plan.resourcesToImport) {
    process.stdout.write(`  ${LogicalResourceId}  ${Object.values(ResourceIdentifier).join()}\n`);
  }
  process.stdout.write(`\nTo import them into a new stack and deploy the rest:\n\n`);
  process.stdout.write(`${commands(name, values.output)}\n`);
}

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
