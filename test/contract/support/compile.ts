import ts from 'typescript';

/** What the compiler has to say about a file and all that it imports, with the project's own settings. */
export function compileErrors(path: string): string[] {
  const config = ts.readConfigFile('tsconfig.json', ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config.config, include: [path] }, ts.sys, '.');
  const program = ts.createProgram([path], options);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}
