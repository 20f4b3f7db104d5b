import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { StartProblem } from '../shared/errors.ts';
import { optionalText } from '../shared/resource-type.ts';

/** The output of a CDK app, which the CDK's command line would deploy (CDK, "Cloud assembly"). */
export interface Assembly {
  readonly stackName: string;
  readonly template: unknown;
  /** Folder of an asset, by the object key under which it would be published. */
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
 * @throws {StartProblem} when the assembly has no stack or several stacks
 */
export function readAssembly(directory: string): Assembly {
  const read = (file: string): unknown => JSON.parse(readFileSync(join(directory, file), 'utf8'));
  const artifacts = Object.entries(v.parse(manifestSchema, read('manifest.json')).artifacts);
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
    .flatMap((file) => assetPaths(read(file)));
  return {
    stackName: stackName ?? id,
    template: read(templateFile),
    assetDirectory: (objectKey) => findAsset(directory, new Map(assets), objectKey),
  };
}

function assetPaths(manifest: unknown): [string, string][] {
  return Object.values(v.parse(assetsSchema, manifest).files).flatMap(({ source, destinations }) =>
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
