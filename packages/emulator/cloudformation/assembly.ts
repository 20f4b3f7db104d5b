import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { StartProblem } from '../shared/errors.ts';
import { optionalText } from '../shared/resource-type.ts';
import { parseState } from '../shared/state-file.ts';

/** Output of a CDK app, ready for deployment by the CDK's command line (CDK, "Cloud assembly"). */
export interface Assembly {
  readonly stackName: string;
  readonly template: unknown;
  /** Folder of an asset, by the object key of the published asset. */
  readonly assetDirectory: (objectKey: string) => string;
}

const manifestSchema = v.object({
  artifacts: v.record(v.string(), v.object({ type: v.string(), properties: v.optional(v.unknown()) })),
});
const stackSchema = v.object({ templateFile: v.string(), stackName: optionalText });
const assetManifestReferenceSchema = v.object({ file: v.string() });
const assetsSchema = v.object({
  files: v.record(
    v.string(),
    v.object({
      source: v.object({ path: optionalText, packaging: optionalText }),
      destinations: v.record(v.string(), v.object({ objectKey: v.string() })),
    }),
  ),
});

/**
 * Reads a cloud assembly with one stack.
 *
 * @throws {StartProblem} when the assembly does not contain exactly one stack, or one of its files is damaged
 */
export function readAssembly(directory: string): Assembly {
  const remedy = `Move the folder ${directory} away: the next start creates it again from the app.`;
  const read = <Content>(file: string, schema: v.GenericSchema<unknown, Content>): Content => {
    const path = join(directory, file);
    return parseState(readFileSync(path, 'utf8'), { path, schema, remedy });
  };
  const artifacts = Object.entries(read('manifest.json', manifestSchema).artifacts);
  const stacks = artifacts.filter(([, artifact]) => artifact.type === 'aws:cloudformation:stack');
  const [only] = stacks;
  if (!only || stacks.length > 1) {
    throw new StartProblem(
      `The app must have exactly one stack to run in the emulator, and has ${stacks.length}.`,
    );
  }
  const [id, stack] = only;
  const { templateFile, stackName } = v.parse(stackSchema, stack.properties);
  const assets = artifacts
    .filter(([, artifact]) => artifact.type === 'cdk:asset-manifest')
    .map(([, artifact]) => v.parse(assetManifestReferenceSchema, artifact.properties).file)
    .flatMap((file) => assetPaths(read(file, assetsSchema)));
  return {
    stackName: stackName ?? id,
    template: read(templateFile, v.unknown()),
    assetDirectory: (objectKey) => findAsset(directory, new Map(assets), objectKey),
  };
}

function assetPaths({ files }: v.InferOutput<typeof assetsSchema>): [string, string][] {
  return Object.values(files).flatMap(({ source, destinations }) =>
    Object.values(destinations).map(({ objectKey }): [string, string] => [objectKey, source.path ?? '']),
  );
}

function findAsset(directory: string, assets: ReadonlyMap<string, string>, objectKey: string): string {
  const path = assets.get(objectKey);
  if (!path) {
    throw new StartProblem(`The cloud assembly has no asset for the object key ${objectKey}.`);
  }
  return join(directory, path);
}
