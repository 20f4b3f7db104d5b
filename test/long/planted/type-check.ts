import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { type Defect, withDefect } from './defect.ts';

/** What is no error here: a name that only the replaced text used (TypeScript's "declared but never used"). */
const unusedNames: ReadonlySet<number> = new Set([6133, 6138, 6192, 6196, 6198, 6199, 6205]);

/**
 * Type-checks each defect in its file. A file that TypeScript would refuse shows nothing about the tests.
 *
 * One program holds a defect in each of many files, so that a few programs are enough for all.
 *
 * @returns the first error of each defect that has one, by name
 */
export function typeErrorsOf(root: string, defects: readonly Defect[]): ReadonlyMap<string, string> {
  const { fileNames, options } = configurationOf(root);
  const errors = new Map<string, string>();
  let program: ts.Program | undefined;
  for (const round of roundsOf(defects.filter(({ file }) => file.endsWith('.ts')))) {
    const edited = new Map(round.map((defect) => [join(root, defect.file), sourceOf(root, defect)]));
    program = ts.createProgram(fileNames, options, hostWith(edited, options), program);
    for (const { name, file } of round) {
      const error = firstError(program, join(root, file));
      if (error !== undefined) {
        errors.set(name, error);
      }
    }
  }
  return errors;
}

function configurationOf(root: string): ts.ParsedCommandLine {
  const path = join(root, 'tsconfig.json');
  const { config } = ts.readConfigFile(path, ts.sys.readFile);
  return ts.parseJsonConfigFileContent(config, ts.sys, root);
}

/** The first defect of each file, then the second of each, and so on. */
function roundsOf(defects: readonly Defect[]): readonly (readonly Defect[])[] {
  const rounds: Defect[][] = [];
  const counts = new Map<string, number>();
  for (const defect of defects) {
    const index = counts.get(defect.file) ?? 0;
    counts.set(defect.file, index + 1);
    rounds[index] = [...(rounds[index] ?? []), defect];
  }
  return rounds;
}

function sourceOf(root: string, defect: Defect): string {
  const source = readFileSync(join(root, defect.file), 'utf8');
  return withDefect(source, defect) ?? source;
}

/** Reads edited files from memory. Files that no round edits are parsed once. */
function hostWith(edited: ReadonlyMap<string, string>, options: ts.CompilerOptions): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  return {
    ...host,
    getSourceFile: (path, languageVersion) => {
      const text = edited.get(path);
      if (text !== undefined) {
        return ts.createSourceFile(path, text, languageVersion);
      }
      const known = parsed.get(path) ?? host.getSourceFile(path, languageVersion);
      if (known !== undefined) {
        parsed.set(path, known);
      }
      return known;
    },
  };
}

const parsed = new Map<string, ts.SourceFile>();

function firstError(program: ts.Program, path: string): string | undefined {
  const file = program.getSourceFile(path);
  if (file === undefined) {
    return undefined;
  }
  const problems = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
  const error = problems.find(({ code }) => !unusedNames.has(code));
  return error && `TS${error.code}: ${ts.flattenDiagnosticMessageText(error.messageText, ' ')}`;
}
