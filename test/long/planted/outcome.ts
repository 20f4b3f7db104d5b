/** What became of one planted defect. Only the first is good. */
export type Outcome =
  | { readonly result: 'caught'; readonly test: string; readonly testFile: string }
  | { readonly result: 'not caught' }
  /** A file failed before one of its tests did. That shows no broken promise: any wrong edit would do it. */
  | { readonly result: 'did not load'; readonly detail: string }
  | { readonly result: 'did not end'; readonly detail: string }
  | { readonly result: 'text not found once'; readonly detail: string }
  | { readonly result: 'wrong types'; readonly detail: string };

/** The parts of vitest's JSON report that we read. */
export interface TestReport {
  readonly success: boolean;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

/** The outcome of one run of the tests. @param pathOf a file's path from the project's root */
export function outcomeOf(report: TestReport, pathOf: (file: string) => string): Outcome {
  const [caught] = failedTests(report, pathOf);
  if (caught !== undefined) {
    return { result: 'caught', ...caught };
  }
  const broken = report.testResults.find(({ status }) => status === 'failed');
  if (broken !== undefined) {
    return { result: 'did not load', detail: `${pathOf(broken.name)}: ${firstLine(broken.message)}` };
  }
  if (report.testResults.length === 0) {
    return { result: 'did not load', detail: 'no test was found' };
  }
  return report.success
    ? { result: 'not caught' }
    : { result: 'did not load', detail: 'the run failed, but none of its tests did' };
}

/** The tests that failed, with their files. */
export function failedTests(
  report: TestReport,
  pathOf: (file: string) => string,
): readonly { readonly test: string; readonly testFile: string }[] {
  return report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName }) => ({ test: fullName, testFile: pathOf(name) })),
  );
}

export function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
