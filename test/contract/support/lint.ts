import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** What Redocly finds in a document. */
export interface LintReport {
  readonly totals: { readonly errors: number; readonly warnings: number };
  readonly problems: readonly {
    readonly severity: string;
    readonly ruleId: string;
    readonly message: string;
  }[];
}

/** Lints by Redocly's strictest rules, without telemetry and version check, so that it needs no network. */
export function lint(path: string): Promise<LintReport> {
  const cli = fileURLToPath(new URL('../../../node_modules/@redocly/cli/bin/cli.js', import.meta.url));
  const child = spawn(
    process.execPath,
    [cli, 'lint', path, '--extends', 'recommended-strict', '--format', 'json'],
    {
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve(JSON.parse(output) as LintReport));
  });
}
