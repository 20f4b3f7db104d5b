import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';

/** A file, or a part of one, that is made from another source. */
export interface GeneratedDocument {
  /** From the project's root. */
  readonly path: string;
  /**
   * The whole text that the file should have.
   *
   * @param current the text that it has, empty when there is no file: for a document that is generated in part
   * @throws Error when the document cannot be made
   */
  readonly content: (current: string) => string | Promise<string>;
}

export interface GenerateOptions {
  /** Folder that the documents' paths start from. */
  readonly root: URL;
  /** Compares only; writes nothing. */
  readonly check: boolean;
  /** Takes one line for each document. */
  readonly report: (line: string) => void;
}

/**
 * Makes the documents in turn, and goes on after one that cannot be made.
 *
 * @returns what is wrong, one line for each document: stale (with `check` only), or why it cannot be made
 */
export async function generate(
  documents: readonly GeneratedDocument[],
  { root, check, report }: GenerateOptions,
): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const document of documents) {
    const { outcome, problem } = await generateOne(document, new URL(document.path, root), check);
    report(`${document.path}: ${outcome}`);
    if (problem !== undefined) {
      problems.push(`${document.path} ${problem}`);
    }
  }
  return problems;
}

export interface GenerateOutput {
  readonly root: URL;
  readonly stdout: (line: string) => void;
  readonly stderr: (line: string) => void;
}

/**
 * The command `npm run generate`.
 *
 * @param parameters of the command line
 * @returns the exit code
 */
export async function runGenerate(
  documents: readonly GeneratedDocument[],
  parameters: readonly string[],
  { root, stdout, stderr }: GenerateOutput,
): Promise<number> {
  const { values } = parseArgs({
    args: [...parameters],
    options: { check: { type: 'boolean', default: false } },
  });
  const problems = await generate(documents, { root, check: values.check, report: stdout });
  for (const problem of problems) {
    stderr(problem);
  }
  return problems.length === 0 ? 0 : 1;
}

interface Result {
  readonly outcome: 'current' | 'written' | 'stale' | 'failed';
  readonly problem?: string;
}

async function generateOne({ content }: GeneratedDocument, file: URL, check: boolean): Promise<Result> {
  try {
    const current = await readText(file);
    const generated = await content(current);
    if (generated === current) {
      return { outcome: 'current' };
    }
    if (check) {
      return { outcome: 'stale', problem: 'is stale: run npm run generate' };
    }
    await mkdir(new URL('./', file), { recursive: true });
    await writeFile(file, generated);
    return { outcome: 'written' };
  } catch (error) {
    return {
      outcome: 'failed',
      problem: `cannot be made: ${error instanceof Error ? error.message : error}`,
    };
  }
}

/** The text of a file; empty when there is none. */
async function readText(file: URL): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return '';
    }
    throw error;
  }
}
