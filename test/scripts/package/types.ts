import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const projectRoot = fileURLToPath(new URL('../../../', import.meta.url));

/** An app as a user of the package writes it. Each comment makes the compiler expect an error in the next line. */
export const app = `
import { App, Stage } from 'aws-cdk-lib/core';
import { type Configuration, ConfigurationError, completeConfiguration, FileSyncStack, outputNames, readConfiguration } from 'file-sync-api';

const app = new App();
const whole: Configuration = completeConfiguration({ stage: 'dev' });
const read: Configuration = readConfiguration(app.node);
const stack = new FileSyncStack(app, 'file-sync-dev', { configuration: whole, env: { region: 'eu-central-1' } });
new FileSyncStack(new Stage(app, 'Live'), 'FileSync', { configuration: { tokenLifetimeSeconds: 600 }, tags: { a: 'b' } });
const url: string = stack.outputs.BaseUrl.value;
const target: string | undefined = stack.outputs.DomainTarget?.value;
const name: 'ConfigurationError' = new ConfigurationError('').name;
console.log(read.signingAlgorithm, url, target, name, outputNames.includes('BaseUrl'));

// @ts-expect-error: not an allowed value
completeConfiguration({ stage: 'test' });
// @ts-expect-error: misspelled
completeConfiguration({ tokenLifetimeSecond: 600 });
// @ts-expect-error: no such output
stack.outputs.BaseURL;
`;

/** Does not compile if the written types differ from those of the code. */
export const comparison = `
import type * as Packed from 'file-sync-api';
import type { OptionalOutputName, OutputName, outputNames } from '${projectRoot}cli/deployment/stack-outputs.ts';
import type * as source from '${projectRoot}lib/configuration.ts';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Plain<T> = { [Name in keyof T]: T[Name] };
export const configuration: Same<Plain<Packed.Configuration>, Plain<source.Configuration>> = true;
export const outputName: Same<Packed.OutputName, OutputName> = true;
export const optional: Same<Packed.OptionalOutputName, OptionalOutputName> = true;
export const names: Same<typeof Packed.outputNames, typeof outputNames> = true;
export const complete: Same<typeof Packed.completeConfiguration, typeof source.completeConfiguration> = true;
export const read: Same<typeof Packed.readConfiguration, typeof source.readConfiguration> = true;
export const error: Same<keyof Packed.ConfigurationError, keyof source.ConfigurationError> = true;
`;

/** What the compiler says of the files and of the package's types. Those of the CDK are not ours to check. */
export function errorsIn(folder: string, names: readonly string[]): readonly string[] {
  const program = ts.createProgram(
    names.map((name) => join(folder, name)),
    {
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      types: ['node'],
      typeRoots: [join(projectRoot, 'node_modules', '@types')],
      noEmit: true,
      allowImportingTsExtensions: true,
      resolveJsonModule: true,
      strict: true,
      exactOptionalPropertyTypes: true,
    },
  );
  const checked = program
    .getSourceFiles()
    .filter(({ fileName }) => names.some((name) => fileName.endsWith(`/${name}`)) || isPackaged(fileName));
  return checked.flatMap((file) =>
    [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map(
      ({ start = 0, messageText }) => {
        const line = file.getLineAndCharacterOfPosition(start).line + 1;
        return `${file.fileName}:${line}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
      },
    ),
  );
}

const isPackaged = (fileName: string) => fileName.includes('/node_modules/file-sync-api/');
