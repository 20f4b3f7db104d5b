import { readFile } from 'node:fs/promises';
import type { ApiUser } from '../../support/api-user.ts';
import { type AdminRun, adminOf } from '../../support/run-admin.ts';
import type { RunningStack } from '../../support/running-stack.ts';
import { runUploadWith, type UploadRun } from '../../tools/upload/support/upload-command.ts';

/**
 * Reads the commands of each row of the table at the top of docs/operations.md. Keys are the symptoms in the
 * first column.
 */
export async function readRows(): Promise<ReadonlyMap<string, readonly string[]>> {
  const page = await readFile('docs/operations.md', 'utf8');
  const [, table = ''] = /^\| What you see \| Do \|.*\n\|---.*\n((?:\|.*\n)+)/m.exec(page) ?? [];
  const lines = table.trimEnd().split('\n');
  return new Map(
    lines.map((line) => {
      const [seen = '', advice = ''] = line.slice(2).split(' | ');
      return [seen, [...advice.matchAll(/`([^`]+)`/g)].map(([, command = '']) => command)];
    }),
  );
}

/** Values of the placeholders, which are words in capitals. */
type Values = Readonly<Record<string, string>>;

/** Runs the commands of a row exactly as written. */
export interface Typist {
  /**
   * Runs a command of the admin program.
   *
   * @param terminal input of the command, or keys of the operator
   */
  readonly type: (
    command: string,
    values?: Values,
    terminal?: { readonly stdin?: string; readonly keys?: string },
  ) => Promise<AdminRun>;
  /** Runs the upload command, with the credentials of a client. */
  readonly upload: (user: ApiUser, command: string, values: Values) => Promise<UploadRun>;
  /** Commands of the row that have not run yet. */
  readonly left: ReadonlySet<string>;
}

/** @param commands commands of the row */
export function startTyping({ deployment, baseUrl }: RunningStack, commands: readonly string[]): Typist {
  const left = new Set(commands);
  const wordsOf = (command: string, values: Values) => {
    expect([...left]).toContain(command);
    left.delete(command);
    return command.split(' ').map((word) => values[word] ?? word);
  };
  return {
    left,
    type: async (command, values = {}, terminal = {}) =>
      adminOf(deployment, terminal)(...wordsOf(command, values)),
    upload: async ({ client }, command, values) => {
      const words = wordsOf(command, values);
      expect(words.slice(0, 4)).toEqual(['npm', 'run', '-s', 'upload']);
      return runUploadWith(words.slice(5), {
        env: {
          FILE_SYNC_BASE_URL: baseUrl,
          FILE_SYNC_CLIENT_ID: client.client_id,
          FILE_SYNC_CLIENT_SECRET: client.client_secret,
        },
      });
    },
  };
}
