/**
 * What the app gets for `esbuild` while its synthesis is recorded. esbuild reads files in a process of its own, and
 * lists them if it is asked to.
 */
import * as esbuild from 'esbuild';
import { noteBundle } from './recorder.ts';

export * from 'esbuild';

export const buildSync = ((options: esbuild.BuildOptions) => {
  const result = esbuild.buildSync({ ...options, metafile: true });
  noteBundle(result.metafile, options.absWorkingDir);
  return result;
}) as typeof esbuild.buildSync;

export const build = (async (options: esbuild.BuildOptions) => {
  const result = await esbuild.build({ ...options, metafile: true });
  noteBundle(result.metafile, options.absWorkingDir);
  return result;
}) as typeof esbuild.build;
