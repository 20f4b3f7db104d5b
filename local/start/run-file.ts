import { renameSync, rmSync, writeFileSync } from 'node:fs';

/** How other commands find the local run: the contents of `run.json` in its state folder. */
export interface RunFile {
  readonly pid: number;
  readonly baseUrl: string;
  readonly awsEndpoint: string;
  readonly region: string;
  /** The operator's. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  readonly stackName: string;
  /** Outputs of the stack. */
  readonly outputs: Readonly<Record<string, string>>;
}

/** Writes the file for its owner alone, whole or not at all. @returns removes it */
export function writeRunFile(path: string, contents: RunFile): () => void {
  const temporary = `${path}.new`;
  rmSync(temporary, { force: true });
  writeFileSync(temporary, `${JSON.stringify(contents, null, 2)}\n`, { mode: 0o600 });
  renameSync(temporary, path);
  return () => rmSync(path, { force: true });
}
