import { basename } from 'node:path';

/** The command-line tools. */
export type Tool = 'admin' | 'upload';

/** What the reader types to run a tool, without parameters: `npm run -s admin --`, or a name. */
export type TypedWords = (tool: Tool) => string;

/**
 * Finds out how the reader started this process, so that every command that is printed can be typed in the same way.
 *
 * @param script the path of the script (`process.argv[1]`)
 * @param env npm sets `npm_lifecycle_event` and `npm_command`
 */
export function typedWords(
  script: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): TypedWords {
  if (/^file-sync-(admin|upload)(\.mjs)?$/.test(basename(script ?? ''))) {
    // npx sets the event itself. Other scripts of npm may run the name as well.
    const isNpx = env.npm_command === 'exec' && env.npm_lifecycle_event === 'npx';
    return (tool) => `${isNpx ? 'npx ' : ''}${programName(tool)}`;
  }
  if (env.npm_lifecycle_event === 'admin' || env.npm_lifecycle_event === 'upload') {
    // Without -s, npm prints lines of its own before the result.
    return (tool) => `npm run -s ${tool} --`;
  }
  return (tool) => `node --import tsx bin/${tool}.ts`;
}

/** The name of a tool in `bin` of package.json. */
export function programName(tool: Tool): string {
  return `file-sync-${tool}`;
}
