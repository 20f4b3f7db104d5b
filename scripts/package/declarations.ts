import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { optionalOutputNames, outputNames } from '../../cli/deployment/stack-outputs.ts';
import { type Configuration, settingNames, settings } from '../../lib/configuration.ts';

const projectRoot = fileURLToPath(new URL('../../', import.meta.url));

/**
 * The types of the package, in one file. The compiler's own output would be a file for every construct, and would not
 * tell what a setting means.
 */
export function declarations(): string {
  const types = settingTypes();
  const entries = settingNames.map((name) => {
    const { meaning, allowed, fallbackText } = settings[name];
    const comment = `${plainText(meaning)}. It must be ${plainText(allowed)}. Default: ${fallbackText}.`;
    return `  /** ${comment} */\n  readonly ${name}: ${types[name]};\n`;
  });
  return `${head}\n/** The settings of the service. Each has a default that is safe to deploy. */
export interface Configuration {\n${entries.join('')}}\n${rest}`;
}

/** The type of each setting, in TypeScript, as the compiler infers it. */
function settingTypes(): Readonly<Record<keyof Configuration, string>> {
  const path = `${projectRoot}lib/configuration.ts`;
  const config = ts.readConfigFile(`${projectRoot}tsconfig.json`, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(
    { ...config.config, include: [path] },
    ts.sys,
    projectRoot,
  );
  const program = ts.createProgram([path], options);
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(path);
  const module = file && checker.getSymbolAtLocation(file);
  const symbol = module && checker.getExportsOfModule(module).find(({ name }) => name === 'Configuration');
  if (symbol === undefined) {
    throw new Error('lib/configuration.ts exports no type Configuration.');
  }
  const flags = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseSingleQuotesForStringLiteralType;
  const properties = checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol));
  const types = properties.map((property) => [
    property.name,
    checker.typeToString(checker.getTypeOfSymbol(property), undefined, flags),
  ]);
  return Object.fromEntries(types);
}

/** Without links, which lead nowhere outside the repository. */
function plainText(markdown: string): string {
  return markdown.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1');
}

// The part of the CDK that is needed: a compiler takes seconds to read all of it.
const head = `import { type CfnOutput, Stack, type StackProps } from 'aws-cdk-lib/core';
import type { Construct, Node } from 'constructs';
`;

const rest = `
/** What a FileSyncStack takes besides what every stack takes. */
export interface FileSyncStackProps extends StackProps {
  /** The settings that differ from their defaults. */
  readonly configuration?: Partial<Configuration>;
  /** When the template is made, in milliseconds since the epoch. Default: now. */
  readonly now?: number;
}

/** The whole service, for any account and Region. */
export declare class FileSyncStack extends Stack {
  /** The outputs, for what is deployed beside the stack: BaseUrl is the address of the API. */
  readonly outputs: Readonly<Record<OutputName, CfnOutput>> & Readonly<Partial<Record<OptionalOutputName, CfnOutput>>>;
  /** The Regions of all certificates, which must be that of the stack. */
  readonly certificateRegions: readonly string[];
  /** @throws {ConfigurationError} when a setting is misspelled or not allowed, or settings contradict each other */
  constructor(scope: Construct, id: string, props?: FileSyncStackProps);
}

/** The names of the stack's outputs. The command file-sync-admin finds a deployment by them. */
export declare const outputNames: readonly [${outputNames.map((name) => `'${name}'`).join(', ')}];

export type OutputName = (typeof outputNames)[number];

/** Outputs that a stack has or not, by its settings. */
export type OptionalOutputName = ${optionalOutputNames.map((name) => `'${name}'`).join(' | ')};

/** A setting that cannot be deployed. The message is one sentence for the operator. */
export declare class ConfigurationError extends Error {
  readonly name: 'ConfigurationError';
}

/**
 * Completes settings with their defaults, and checks them. Values may be text, as from a command line.
 *
 * @throws {ConfigurationError} naming the setting, the value and what is allowed
 */
export declare function completeConfiguration(given: Partial<Configuration>): Configuration;

/**
 * Reads the settings from the context of a construct tree: \`-c key=value\`, or \`context\` in cdk.json.
 *
 * @throws {ConfigurationError} naming the key, the value and what is allowed
 */
export declare function readConfiguration(node: Node): Configuration;
`;
