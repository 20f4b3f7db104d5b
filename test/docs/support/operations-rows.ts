import { readFile } from 'node:fs/promises';
import type { ApiUser } from '../../support/api-user.ts';
import { adminOf } from '../../support/run-admin.ts';
import type { RunningStack } from '../../support/running-stack.ts';
import { runUploadWith } from '../../tools/upload/support/upload-command.ts';

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

export type Typist = ReturnType<typeof startTyping>;

/**
 * Runs the commands of a row exactly as written.
 *
 * @param commands commands of the row
 */
export function startTyping({ deployment, baseUrl }: RunningStack, commands: readonly string[]) {
  const left = new Set(commands);
  const wordsOf = (command: string, values: Values) => {
    expect([...left]).toContain(command);
    left.delete(command);
    return command.split(' ').map((word) => values[word] ?? word);
  };
  return {
    /** Commands of the row that have not run yet. */
    left,
    /**
     * Runs a command of the admin program.
     *
     * @param terminal input of the command, or keys of the operator
     */
    type: async (command: string, values: Values = {}, terminal: Parameters<typeof adminOf>[1] = {}) =>
      adminOf(deployment, terminal)(...wordsOf(command, values)),
    /** Runs the upload command, with the credentials of a client. */
    upload: async ({ client }: ApiUser, command: string, values: Values) => {
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
