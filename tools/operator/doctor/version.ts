import packageJson from '../../../package.json' with { type: 'json' };
import { type CheckResult, ok, warning } from './finding.ts';

/** Version of this tool. `npm run build:tools` replaces the variable with it, so the built file needs no package.json. */
export const toolVersion = process.env.FILE_SYNC_TOOL_VERSION ?? packageJson.version;

/** Compares the version of the stack with the version of this tool. */
export function checkVersion(stack: string, tool: string): CheckResult {
  return stack === tool
    ? ok(`the stack and this tool have version ${tool}`)
    : warning(
        `The stack has version ${stack}, and this tool has version ${tool}.`,
        `Use version ${stack} of the tool, or deploy version ${tool}: a tool may not know the items of another version.`,
      );
}
